import { parseFilter, rawFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { asksBeyondKeys, unboundingUses } from '../../packages/query/src/key-use.ts'

const uses = (text: string) =>
  unboundingUses(parseFilter(text)).map(({ key, under }) => `${key} ${under}`)

describe('unboundingUses', () => {
  it('finds what keeps a key from being a bound', () => {
    expect(uses("PartitionKey eq 'a' and RowKey ge 'b'")).toEqual([])
    expect(uses("RowKey ne 'a' and not (PartitionKey eq 'a')")).toEqual([
      'RowKey ne',
      'PartitionKey not',
    ])
    expect(uses("RowKey eq 'a' or age gt 3 and RowKey ne 'b'")).toEqual(['RowKey or'])
    expect(uses("not (RowKey eq 'a' or RowKey eq 'b')")).toEqual(['RowKey not'])
    expect(unboundingUses(undefined)).toEqual([])
  })
})

describe('asksBeyondKeys', () => {
  it.each([
    ["PartitionKey eq 'a' and not (RowKey eq 'b')", false],
    ['true', false],
    ['', false],
    ["PartitionKey eq 'a' or age gt 3", true],
    ['not (active)', true],
    ["Timestamp gt datetime'2020-01-01T00:00:00Z'", true],
  ])('%s: %s', (text, expected) => {
    expect(asksBeyondKeys(parseFilter(text))).toBe(expected)
  })

  it('looks into raw text that can be read, and takes the rest for more than keys', () => {
    expect(asksBeyondKeys(rawFilter("RowKey eq 'b'"))).toBe(false)
    expect(asksBeyondKeys(rawFilter('age gt 3'))).toBe(true)
    expect(asksBeyondKeys(rawFilter('age add 1 gt 3'))).toBe(true)
    const raw = rawFilter("PartitionKey eq 'a' and (RowKey eq 'b' or age gt 3)")
    expect(unboundingUses(raw)).toEqual([{ key: 'RowKey', under: 'or' }])
  })
})
