import {
  and,
  EntityProperty,
  evaluateFilter,
  type Interval,
  keyBounds,
  literalOf,
  not,
  parseFilter,
  pointReadsOf,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'

const open = { lowInclusive: true, highInclusive: true, empty: false }
const rowKey = (text: string) => keyBounds(parseFilter(text)).rowKey

describe('keyBounds', () => {
  it.each([
    ["RowKey eq 'a'", { ...open, low: 'a', high: 'a', exact: 'a' }],
    ["RowKey ge 'a'", { ...open, low: 'a' }],
    ["RowKey gt 'a'", { ...open, low: 'a', lowInclusive: false }],
    ["RowKey le 'a'", { ...open, high: 'a' }],
    ["RowKey lt 'a'", { ...open, high: 'a', highInclusive: false }],
    ["RowKey ge 'a' and RowKey lt 'b'", { ...open, low: 'a', high: 'b', highInclusive: false }],
    ["RowKey ge 'a' and RowKey gt 'a'", { ...open, low: 'a', lowInclusive: false }],
    ["RowKey gt 'a' and RowKey ge 'a'", { ...open, low: 'a', lowInclusive: false }],
    ["RowKey gt 'a' and RowKey ge 'b'", { ...open, low: 'b' }],
    ["RowKey gt 'b' and RowKey ge 'a'", { ...open, low: 'b', lowInclusive: false }],
    ["RowKey lt 'a' and RowKey le 'b'", { ...open, high: 'a', highInclusive: false }],
    ["RowKey lt 'b' and RowKey le 'a'", { ...open, high: 'a' }],
    ["RowKey ge 'a' and RowKey le 'a'", { ...open, low: 'a', high: 'a', exact: 'a' }],
    ["'a' lt RowKey", { ...open, low: 'a', lowInclusive: false }],
    ["Flag and (RowKey ge 'a' and A eq 1)", { ...open, low: 'a' }],
    ["RowKey eq ''", { ...open, low: '', high: '', exact: '' }],
  ] as const)('of %s', (text, expected) => {
    expect(rowKey(text)).toEqual(expected)
  })

  it.each([
    "RowKey ne 'a'",
    "not (RowKey eq 'a')",
    "RowKey eq 'a' or RowKey eq 'b'",
    "PartitionKey eq 'a'",
    "rowKey eq 'a'",
    'true',
  ])('of %s are open', (text) => {
    expect(rowKey(text)).toEqual(open)
  })

  it.each([
    "RowKey eq 'a' and RowKey eq 'b'",
    "RowKey gt 'a' and RowKey le 'a'",
    "RowKey ge 'b' and RowKey le 'a'",
    "RowKey eq 'a' and RowKey lt 'a'",
  ])('of %s are empty', (text) => {
    expect(rowKey(text)).toMatchObject({ empty: true })
    expect(rowKey(text)).not.toHaveProperty('exact')
  })

  it('bounds both keys, and neither without a filter', () => {
    const bounds = keyBounds(parseFilter("PartitionKey eq 'Smith' and RowKey ge 'J'"))
    expect(bounds.partitionKey.exact).toBe('Smith')
    expect(bounds.rowKey.low).toBe('J')
    expect(keyBounds(undefined)).toEqual({ partitionKey: open, rowKey: open })
  })

  it('contains exactly the keys that match', () => {
    const terms = fc.tuple(
      fc.constantFrom('eq', 'ge', 'gt', 'le', 'lt'),
      fc.constantFrom('', 'a', 'b', 'c'),
    )
    const keys = ['', '\0', 'a', 'a\0', 'aa', 'b', 'b\0', 'c', 'c\0', 'd']
    fc.assert(
      fc.property(fc.array(terms, { minLength: 1, maxLength: 4 }), (list) => {
        const node = parseFilter(list.map(([op, key]) => `RowKey ${op} '${key}'`).join(' and '))
        const interval = keyBounds(node).rowKey
        const matching = keys.filter(
          (key) => node && evaluateFilter(node, () => EntityProperty.string(key)),
        )
        expect(keys.filter((key) => holdsKey(interval, key))).toEqual(matching)
      }),
      { numRuns: 1_000 },
    )
  })
})

function holdsKey(interval: Interval, key: string): boolean {
  const { low, lowInclusive, high, highInclusive } = interval
  const isAbove = low === undefined || key > low || (lowInclusive && key === low)
  const isBelow = high === undefined || key < high || (highInclusive && key === high)
  return isAbove && isBelow
}

const keysOf = (text: string) =>
  pointReadsOf(parseFilter(text))?.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`)

const P = "PartitionKey eq 'p'"

describe('pointReadsOf', () => {
  it.each([
    [`${P} and RowKey eq '1'`, ['p/1']],
    [`RowKey eq '1' and ${P}`, ['p/1']],
    [`${P} and (RowKey eq '2' or RowKey eq '1')`, ['p/1', 'p/2']],
    [`${P} and RowKey eq '2' or PartitionKey eq 'o' and RowKey eq '3'`, ['o/3', 'p/2']],
    [
      `(${P} or PartitionKey eq 'o') and (RowKey eq '1' or RowKey eq '2')`,
      ['o/1', 'o/2', 'p/1', 'p/2'],
    ],
    [`${P} and (RowKey eq '1' or RowKey eq '1')`, ['p/1']],
    [`${P} and (RowKey eq '' or RowKey eq 'a')`, ['p/', 'p/a']],
    [`${P} and (RowKey eq '\u{ffff}' or RowKey eq '\u{1f600}')`, ['p/\u{1f600}', 'p/\u{ffff}']],
    [`${P} and PartitionKey eq 'p' and RowKey eq '1'`, ['p/1']],
    [`${P} and RowKey eq '1' or PartitionKey eq 'a' and PartitionKey eq 'b'`, ['p/1']],
    ["PartitionKey eq 'a' and PartitionKey eq 'b' and RowKey eq '1'", []],
    [`${P} and (RowKey eq '1' or RowKey eq '3') and RowKey ge '2' and RowKey lt '4'`, ['p/3']],
    [`${P} and RowKey ne '1' and (RowKey eq '1' or RowKey eq '3')`, ['p/3']],
    [`${P} and RowKey eq '1' and not (RowKey eq '1')`, []],
    [`${P} and RowKey eq '1' and true`, ['p/1']],
  ])('R-41: %s gives whole keys', (text, keys) => {
    expect(keysOf(text)).toEqual(keys)
  })

  it.each([
    P,
    "RowKey eq '1'",
    `${P} or RowKey eq '1'`,
    `${P} and RowKey ge '1'`,
    `${P} and RowKey eq '1' and age gt 30`,
    `${P} and (RowKey eq '1' or age gt 30)`,
    `${P} and not (RowKey eq '1')`,
    `${P} and RowKey eq '1' or ${P}`,
    `${P} and RowKey eq '1' and not (age gt 30)`,
    `${P} and RowKey eq '1' and active`,
    '',
  ])('%s gives undefined', (text) => {
    expect(keysOf(text)).toBeUndefined()
  })

  longTest('returns undefined for more than 10,000 keys', () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name} eq '${index}'`).join(' or ')
    const product = (rows: number) =>
      keysOf(`(${many('PartitionKey', 100)}) and (${many('RowKey', rows)})`)
    expect(product(100)).toHaveLength(10_000)
    expect(product(101)).toBeUndefined()
    expect(keysOf(`${P} and (${many('RowKey', 10_001)})`)).toBeUndefined()
    const whole = (count: number) =>
      Array.from({ length: count }, (_, index) => `(${P} and RowKey eq '${index}')`).join(' or ')
    expect(keysOf(whole(10_000))).toHaveLength(10_000)
    expect(keysOf(whole(10_001))).toBeUndefined()
  })

  it.each(['ne', 'lt'] as const)('keeps a key by %s and another type', (operator) => {
    const literal = literalOf('00000000-0000-0000-0000-000000000000', 'Guid')
    const other = Object.freeze({ kind: 'comparison', property: 'RowKey', operator, literal })
    const key = parseFilter(`${P} and RowKey eq '1'`)!
    expect(pointReadsOf(and(key, other))).toHaveLength(1)
    expect(pointReadsOf(and(key, not(other)))).toEqual([])
  })

  it('returns exactly the keys that the filter matches', () => {
    const half = fc.constantFrom('a', 'b', 'c')
    const leaf = fc
      .tuple(
        fc.constantFrom('PartitionKey', 'RowKey'),
        fc.constantFrom('eq', 'eq', 'eq', 'ne', 'gt', 'ge', 'lt', 'le'),
        half,
      )
      .map(([name, operator, value]) => `${name} ${operator} '${value}'`)
    const texts = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc
          .tuple(tie('text'), fc.constantFrom('and', 'or'), tie('text'))
          .map(([left, word, right]) => `(${left}) ${word} (${right})`),
        tie('text').map((text) => `not (${text})`),
        fc.constantFrom('true', 'false'),
      ),
    })).text
    const all = ['a', 'b', 'c'].flatMap((partitionKey) =>
      ['a', 'b', 'c'].map((rowKey) => ({ partitionKey, rowKey })),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const keys = pointReadsOf(parseFilter(text))
        const tree = parseFilter(text)!
        const matching = all.filter(({ partitionKey, rowKey }) =>
          evaluateFilter(tree, (name) => literalOf(name === 'RowKey' ? rowKey : partitionKey)),
        )
        expect(keys ?? matching).toEqual(matching)
      }),
      { numRuns: 2_000 },
    )
  })
})
