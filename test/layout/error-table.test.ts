import { readFileSync } from 'node:fs'
import * as rowkey from 'rowkey'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

const page = readFileSync(`${root}docs/errors.md`, 'utf8')
const heading = '| you catch | when | what to do |'
const table = page.slice(page.indexOf(heading)).split('\n\n')[0] ?? ''
const rows = table.split('\n').filter((line) => line.startsWith('| `'))
const named = Array.from(table.matchAll(/`([A-Z]\w+Error)`/g), ([, name = '']) => name)

describe('the table of the errors that matter most', () => {
  it('has ten rows', () => {
    expect(rows).toHaveLength(10)
  })

  it('names only errors that can be imported from rowkey', () => {
    expect(named.filter((name) => !(name in rowkey))).toEqual([])
  })
})
