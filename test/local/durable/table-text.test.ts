import { type DateTimeValue, parseDateTime } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  parseKeptNames,
  parsePolicies,
  parseProperties,
  parseTable,
  printKeptNames,
  printPolicies,
  printProperties,
  printTable,
} from '../../../packages/local/src/durable/table-text.ts'
import { NEW_SERVICE } from '../../../packages/local/src/service-properties/service-properties.ts'

describe('the texts of records about tables', () => {
  it('preserve a table', () => {
    const record = { account: 'contoso', name: 'People', id: 7 }
    expect(parseTable(printTable(record))).toEqual(record)
  })

  it('preserve policies, with all digits of their times and without absent fields', () => {
    const policies = [
      {
        id: 'a "b"',
        start: parseDateTime('2026-01-01T00:00:00.1234567Z') as DateTimeValue,
        expiry: undefined,
        permissions: 'raud',
      },
      {
        id: 'b',
        start: undefined,
        expiry: parseDateTime('2026-02-01T00:00:00.0000001Z') as DateTimeValue,
        permissions: undefined,
      },
      { id: 'c', start: undefined, expiry: undefined, permissions: undefined },
    ]
    expect(parsePolicies(printPolicies({ table: 7, policies }))).toEqual({ table: 7, policies })
  })

  it('preserve properties', () => {
    const record = { account: 'contoso', properties: NEW_SERVICE }
    expect(parseProperties(printProperties(record))).toEqual(record)
  })

  it('preserve reserved names', () => {
    const names = new Map([['contoso/people', 1_795_000_000_000]])
    expect(parseKeptNames(printKeptNames(names))).toEqual(names)
  })
})
