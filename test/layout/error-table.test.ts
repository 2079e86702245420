import { readFileSync } from 'node:fs'
import * as rowkey from 'rowkey'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

const readme = readFileSync(`${root}README.md`, 'utf8')
const heading = '| you catch | when | what to do |'
const table = readme.slice(readme.indexOf(heading)).split('\n\n')[0] ?? ''
const rows = table.split('\n').filter((line) => line.startsWith('| `'))
const named = Array.from(table.matchAll(/`([A-Z]\w+Error)`/g), ([, name = '']) => name)

describe('the table of errors in README.md', () => {
  it('has ten rows', () => {
    expect(rows).toHaveLength(10)
  })

  it('names only errors that can be imported from rowkey', () => {
    expect(named.filter((name) => !(name in rowkey))).toEqual([])
  })

  it('is followed by a link to all errors', () => {
    expect(
      readme.slice(readme.indexOf(table) + table.length, readme.indexOf('\n## Where')),
    ).toContain('(docs/errors.md)')
  })
})
