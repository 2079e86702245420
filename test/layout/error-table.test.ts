import { readFileSync } from 'node:fs'
import * as local from '@rowkey/local'
import * as rowkey from 'rowkey'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

const readme = readFileSync(`${root}README.md`, 'utf8')
const table = readme.slice(readme.indexOf('| you see | because |')).split('\n\n')[0] ?? ''
const named = new Set(Array.from(table.matchAll(/`([A-Z]\w+Error)`/g), ([, name]) => name))

/** Errors that are only the base of others. */
const BASES = new Set(['InputError', 'RowkeyError', 'ServiceError', 'StoreError', 'TransportError'])

const thrown = Object.keys(rowkey).filter(
  (name) => /^[A-Z]\w+Error$/.test(name) && !BASES.has(name),
)

describe('the table of errors in README.md', () => {
  it.each(thrown)('has %s', (name) => {
    expect(named).toContain(name)
  })

  it('has no error that cannot be imported', () => {
    const known = new Set([...Object.keys(rowkey), ...Object.keys(local)])
    expect([...named].filter((name) => !known.has(String(name)))).toEqual([])
  })
})
