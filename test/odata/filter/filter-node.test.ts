import {
  booleanProperty,
  COMPARISON_OPERATORS,
  comparison,
  constant,
  countComparisons,
  EntityProperty,
  type FilterNode,
  FilterSyntaxError,
  InputError,
  literalOf,
  MAX_COMPARISONS,
  not,
  or,
  parseFilter,
  propertiesIn,
  RowkeyError,
  rawFilter,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  checkFilterName,
  isComparisonOperator,
  isReservedWord,
  systemTypeOf,
} from '../../../packages/odata/src/filter/filter-node.ts'
import { invalidName, invalidValue } from '../../support/rejections.ts'

describe('COMPARISON_OPERATORS', () => {
  it('are the six operators of the service', () => {
    expect([...COMPARISON_OPERATORS].sort()).toEqual(['eq', 'ge', 'gt', 'le', 'lt', 'ne'])
  })
})

describe('propertiesIn', () => {
  it.each([
    ['a eq 1 and not (b eq 2 or c)', ['a', 'b', 'c']],
    ['a eq 1 or a eq 2', ['a', 'a']],
    ['true', []],
  ])('lists the properties of %s', (text, names) => {
    expect(propertiesIn(parseFilter(text) as FilterNode)).toEqual(names)
    expect(propertiesIn(rawFilter(text))).toEqual(names)
  })

  it('lists none of raw text that it cannot parse', () => {
    expect(propertiesIn(rawFilter('(a add 1) gt 2'))).toEqual([])
  })
})

describe('countComparisons', () => {
  it.each([
    ['A eq 1', 1],
    ['Flag', 0],
    ['true', 0],
    ['not (A eq 1)', 1],
    ['A eq 1 and (B eq 2 or not (C eq 3 and D eq 4)) and Flag', 4],
  ])('R-27: of %s is %d', (text, count) => {
    expect(countComparisons(parseFilter(text) as FilterNode)).toBe(count)
  })

  it('R-27: is the number of comparisons that the service documents', () => {
    expect(MAX_COMPARISONS).toBe(15)
  })
})

describe('checkFilterName', () => {
  it.each(['PartitionKey', 'Timestamp', 'TableName', 'größe', 'eq', '__proto__'])(
    'accepts %s',
    (name) => {
      expect(() => checkFilterName(name)).not.toThrow()
    },
  )

  it.each(['true', 'false', 'null', 'and', 'or', 'not', 'NaN', 'INF'])(
    'rejects %s, also the second time',
    (name) => {
      expect(() => checkFilterName(name)).toThrow(invalidName)
      expect(() => checkFilterName(name)).toThrow(`"${name}" has another meaning in a $filter`)
      expect(isReservedWord(name)).toBe(true)
    },
  )
})

describe('systemTypeOf', () => {
  it('returns the types of the system properties only', () => {
    expect(['PartitionKey', 'RowKey', 'Timestamp', 'x', 'toString'].map(systemTypeOf)).toEqual([
      'String',
      'String',
      'DateTime',
      undefined,
      undefined,
    ])
  })
})

describe('FilterSyntaxError', () => {
  it('has a name, a code and a position', () => {
    const cause = new TypeError('below')
    const error = new FilterSyntaxError({ message: 'why', cause, position: 5 })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({
      name: 'FilterSyntaxError',
      code: 'InvalidFilter',
      cause,
      position: 5,
    })
    expect(error.operands).toBeUndefined()
    expect(error.calledFunction).toBeUndefined()
    expect(String(error)).toBe('FilterSyntaxError: why')
  })

  it('has the types that do not fit, and the function that was called', () => {
    const operands = { operator: 'eq', types: ['String', 'Int32'] } as const
    const error = new FilterSyntaxError({
      message: 'why',
      position: 0,
      operands,
      calledFunction: 'trim',
    })
    expect(error).toMatchObject({ operands, calledFunction: 'trim' })
  })
})

describe('comparison', () => {
  it('is a frozen node', () => {
    const node = comparison('age', 'gt', literalOf(5))
    expect(node).toEqual({
      kind: 'comparison',
      property: 'age',
      operator: 'gt',
      literal: { type: 'Int32', value: 5 },
    })
    expect(Object.isFrozen(node) && Object.isFrozen(node.literal)).toBe(true)
  })

  it.each(['a-b', '', 'a eq 1 or b', 'true', 'null', 'not', 'and', 'or', 'NaN', 'INF', undefined])(
    'rejects the property %j',
    (name) => {
      expect(() => comparison(name as never, 'eq', literalOf(1))).toThrow(invalidName)
    },
  )

  it.each(['==', 'EQ', '', undefined, 'toString'])('rejects the operator %j', (operator) => {
    expect(() => comparison('a', operator as never, literalOf(1))).toThrow(FilterSyntaxError)
  })

  it('rejects a constant that does not have the type of a system property', () => {
    expect(() => comparison('RowKey', 'eq', literalOf(5))).toThrow(
      'RowKey has the type String, but this constant has the type Int32.',
    )
    expect(() => comparison('PartitionKey', 'eq', literalOf(true))).toThrow(invalidValue)
    expect(() => comparison('Timestamp', 'gt', literalOf('2012'))).toThrow(
      'Timestamp has the type DateTime, but this constant has the type String.',
    )
    expect(() => comparison('Timestamp', 'gt', literalOf(new Date(0)))).not.toThrow()
  })

  it('rejects a literal whose value does not have its type', () => {
    const literal = { type: 'Int32', value: '5' } as never
    expect(() => comparison('a', 'eq', literal)).toThrow(invalidValue)
  })
})

describe('isComparisonOperator', () => {
  it('is true for the six operators', () => {
    expect(COMPARISON_OPERATORS.every(isComparisonOperator)).toBe(true)
    expect(COMPARISON_OPERATORS).toHaveLength(6)
    expect(isComparisonOperator('and')).toBe(false)
  })
})

const [a, b, _c] = ['A', 'B', 'C'].map((name) => booleanProperty(name)) as [
  ReturnType<typeof booleanProperty>,
  ReturnType<typeof booleanProperty>,
  ReturnType<typeof booleanProperty>,
]

describe('not, or, constant, booleanProperty', () => {
  it('are frozen nodes', () => {
    const nodes = [not(a), constant(true), a, or(a, b)]
    expect(nodes.map(({ kind }) => kind)).toEqual(['not', 'constant', 'property', 'or'])
    expect(nodes.every(Object.isFrozen)).toBe(true)
  })

  it('turn a value that is not a Boolean into false', () => {
    expect(constant('yes' as never)).toEqual(constant(false))
  })

  it.each(['true', 'a b', '', undefined])('rejects the property %j', (name) => {
    expect(() => booleanProperty(name as never)).toThrow(invalidName)
  })
})

describe('literalOf', () => {
  it('infers the type, or uses the given one', () => {
    expect(literalOf(5)).toEqual({ type: 'Int32', value: 5 })
    expect(literalOf(5, 'Double')).toEqual({ type: 'Double', value: 5 })
    expect(literalOf(5, 'Int64')).toEqual({ type: 'Int64', value: 5n })
  })

  it('uses the type and the value of a property', () => {
    expect(literalOf(EntityProperty.double(5))).toEqual({ type: 'Double', value: 5 })
    expect(literalOf(EntityProperty.int32(5), 'Int64')).toEqual({ type: 'Int64', value: 5n })
  })

  it('is frozen', () => {
    expect(Object.isFrozen(literalOf(5))).toBe(true)
  })

  it.each([null, undefined, {}, [], Symbol('x')])('rejects %o', (value) => {
    expect(() => literalOf(value as never)).toThrow(invalidValue)
  })

  it('R-29: rejects a constant that the type does not hold', () => {
    expect(() => literalOf('5', 'Int32')).toThrow(invalidValue)
    expect(() => literalOf(5, 'Decimal' as never)).toThrow(invalidValue)
  })
})
