import {
  and,
  booleanProperty,
  countComparisons,
  evaluateFilter,
  FilterSyntaxError,
  keyBounds,
  literalOf,
  not,
  or,
  parseFilter,
  pointReadsOf,
  printFilter,
  rawFilter,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkRawNode } from '../../../packages/odata/src/filter/filter-node.ts'

const active = booleanProperty('active')

describe('rawFilter', () => {
  it('is printed as it is, and in parentheses beside other conditions', () => {
    const raw = rawFilter('age  add 1 gt 30')
    expect(printFilter(raw)).toBe('age  add 1 gt 30')
    expect(printFilter(and(active, raw))).toBe('active and (age  add 1 gt 30)')
    expect(printFilter(or(raw, active))).toBe('(age  add 1 gt 30) or active')
    expect(printFilter(not(raw))).toBe('not (age  add 1 gt 30)')
  })

  it('has a meaning when its text can be parsed', () => {
    const raw = rawFilter("PartitionKey eq 'a' and 30 lt age")
    expect(raw.meaning).toEqual(parseFilter("PartitionKey eq 'a' and age gt 30"))
    expect(keyBounds(and(raw, active)).partitionKey.exact).toBe('a')
    expect(countComparisons(raw)).toBe(2)
    const row = { PartitionKey: 'a', age: 31 }
    expect(evaluateFilter(raw, (name) => literalOf(row[name as keyof typeof row]))).toBe(true)
  })

  it('has no bounds and cannot be evaluated when its text cannot be parsed', () => {
    const raw = rawFilter("substringof('a', PartitionKey)")
    expect(raw.meaning).toBeUndefined()
    expect(keyBounds(raw).partitionKey).not.toHaveProperty('exact')
    expect(countComparisons(raw)).toBe(0)
    expect(() => evaluateFilter(raw, () => undefined)).toThrow(FilterSyntaxError)
  })

  it('gives no point reads', () => {
    expect(pointReadsOf(rawFilter("PartitionKey eq 'a' and RowKey eq '1'"))).toBeUndefined()
  })

  it.each([
    ['a eq 1) or (true', 6, /this parenthesis was never opened/],
    ['(a eq 1', 7, /a parenthesis is not closed/],
    ["a eq 'b", 5, /the string is not closed/],
    ["a eq 'b'' or c eq 1", 8, /the string is not closed/],
    ['  ', 0, /it must be a text that is not blank/],
  ])('rejects %s, which could change the conditions beside it', (text, position, says) => {
    expect(() => rawFilter(text)).toThrow(FilterSyntaxError)
    expect(() => rawFilter(text)).toThrow(says)
    expect(() => rawFilter(text)).toThrow(`position ${position}:`)
  })

  it('reads parentheses within strings as text', () => {
    expect(rawFilter("a eq ')''(' and (b)").text).toBe("a eq ')''(' and (b)")
  })

  it.each([null, undefined, 5, {}])('rejects %o', (text) => {
    expect(() => rawFilter(text as never)).toThrow(FilterSyntaxError)
  })
})

describe('checkRawNode', () => {
  it('rejects a node that rawFilter did not make', () => {
    const fake = Object.freeze({ kind: 'raw', text: 'true', meaning: undefined } as const)
    expect(() => checkRawNode(rawFilter('true'))).not.toThrow()
    expect(() => checkRawNode(fake)).toThrow(/make it with rawFilter\(text\)/)
    expect(() => printFilter(and(active, fake))).toThrow(FilterSyntaxError)
    expect(() => checkRawNode({ ...rawFilter('true') })).toThrow(FilterSyntaxError)
  })
})
