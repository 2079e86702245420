import {
  and,
  booleanProperty,
  comparison,
  conjunctsOf,
  constant,
  countComparisons,
  type FilterNode,
  type LogicalNode,
  literalOf,
  not,
  or,
  parseFilter,
  printFilter,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'

const [a, b, c] = ['A', 'B', 'C'].map((name) => booleanProperty(name)) as [
  ReturnType<typeof booleanProperty>,
  ReturnType<typeof booleanProperty>,
  ReturnType<typeof booleanProperty>,
]

describe('and, or', () => {
  it('flatten operands of their own kind', () => {
    expect(and(and(a, b), c)).toEqual({ kind: 'and', operands: [a, b, c] })
    expect(or(a, or(b, c))).toEqual({ kind: 'or', operands: [a, b, c] })
  })

  it('keep operands of the other kind', () => {
    expect(and(a, or(b, c))).toEqual({
      kind: 'and',
      operands: [a, { kind: 'or', operands: [b, c] }],
    })
  })

  it('return a single operand as it is, and true or false for no operand', () => {
    expect(and(a)).toBe(a)
    expect(or(and(a))).toBe(a)
    expect(and()).toEqual(constant(true))
    expect(or()).toEqual(constant(false))
  })

  it('join 20,000 conditions one by one', () => {
    let node: FilterNode = a
    for (let count = 1; count < 20_000; count++) node = or(node, b)
    expect(countComparisons(or(node, comparison('c', 'eq', literalOf(1))))).toBe(1)
    expect(node).toMatchObject({ kind: 'or', operands: { length: 20_000 } })
  })

  it('keep their operands when longer ones continue them', () => {
    const names = Array.from({ length: 40 }, (_, index) => booleanProperty(`p${index}`))
    const start = or(...names)
    const one = or(start, a)
    const other = or(start, b, and(a, b))
    expect(one).toEqual({ kind: 'or', operands: [...names, a] })
    expect(other).toEqual({ kind: 'or', operands: [...names, b, and(a, b)] })
    expect(start).toEqual({ kind: 'or', operands: names })
    expect(or(one, other)).toMatchObject({ operands: { length: 41 + 42 } })
    expect(and(one, a)).toEqual({ kind: 'and', operands: [one, a] })
    expect(JSON.parse(JSON.stringify(one)).operands).toHaveLength(41)
    expect(Object.isFrozen(one) && Object.isFrozen((one as LogicalNode).operands)).toBe(true)
  })

  longTest('join 300,000 conditions one by one in linear time', () => {
    let node: FilterNode = a
    for (let count = 1; count < 300_000; count++) node = or(node, b)
    expect(node).toMatchObject({ operands: { length: 300_000 } })
  })

  it('join 100,000 conditions in one call', () => {
    const many: FilterNode[] = Array.from({ length: 100_000 }, () => b)
    expect(or(...many)).toMatchObject({ kind: 'or', operands: { length: 100_000 } })
  })

  it('nest 200 levels deep, and not one more', () => {
    const tooDeep = expect.objectContaining({
      name: 'FilterSyntaxError',
      message: expect.stringContaining('200 levels deep'),
    })
    let negated: FilterNode = a
    for (let level = 0; level < 200; level++) negated = not(negated)
    expect(() => not(negated)).toThrow(tooDeep)
    let mixed: FilterNode = a
    for (let level = 0; level < 100; level++) mixed = or(and(mixed, b), c)
    expect(or(mixed, b)).toMatchObject({ kind: 'or', operands: { length: 3 } })
    expect(() => and(mixed, b)).toThrow(tooDeep)
    expect(parseFilter(printFilter(not(not(a))))).toEqual(not(not(a)))
  })

  it('are listed, those in parentheses too', () => {
    const nested = parseFilter("(a and (b and not c)) and (a or b) and PartitionKey eq 'p'")
    const texts = ['a', 'b', 'not (c)', 'a or b', "PartitionKey eq 'p'"]
    expect(conjunctsOf(nested).map(printFilter)).toEqual(texts)
    expect(conjunctsOf(undefined)).toEqual([])
  })

  it('are frozen', () => {
    const node = and(a, b)
    expect(Object.isFrozen(node)).toBe(true)
    expect(node.kind === 'and' && Object.isFrozen(node.operands)).toBe(true)
  })
})
