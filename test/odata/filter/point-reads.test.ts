import { evaluateFilter, literalOf, parseFilter, pointReadsOf } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

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

  it('returns undefined for more than 10,000 keys', () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name} eq '${index}'`).join(' or ')
    const product = (rows: number) =>
      keysOf(`(${many('PartitionKey', 100)}) and (${many('RowKey', rows)})`)
    expect(product(100)).toHaveLength(10_000)
    expect(product(101)).toBeUndefined()
    expect(keysOf(`${P} and (${many('RowKey', 10_001)})`)).toBeUndefined()
  })

  it('returns exactly the keys that the filter matches', () => {
    const half = fc.constantFrom('a', 'b', 'c')
    const leaf = fc
      .tuple(
        fc.constantFrom('PartitionKey', 'RowKey'),
        fc.constantFrom('eq', 'eq', 'eq', 'ne', 'ge', 'lt'),
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
