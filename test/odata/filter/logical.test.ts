import { and, booleanProperty, constant, not, or, PropertyNameError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { logical } from '../../../packages/odata/src/filter/logical.ts'

const [a, b, c] = ['A', 'B', 'C'].map((name) => booleanProperty(name)) as [
  ReturnType<typeof booleanProperty>,
  ReturnType<typeof booleanProperty>,
  ReturnType<typeof booleanProperty>,
]

describe('and, or', () => {
  it('take operands of their own kind apart', () => {
    expect(and(and(a, b), c)).toEqual({ kind: 'and', operands: [a, b, c] })
    expect(or(a, or(b, c))).toEqual({ kind: 'or', operands: [a, b, c] })
  })

  it('keep operands of the other kind together', () => {
    expect(and(a, or(b, c))).toEqual({
      kind: 'and',
      operands: [a, { kind: 'or', operands: [b, c] }],
    })
  })

  it('are their one operand, and true or false without any', () => {
    expect(and(a)).toBe(a)
    expect(or(and(a))).toBe(a)
    expect(and()).toEqual(constant(true))
    expect(or()).toEqual(constant(false))
  })

  it('are frozen', () => {
    const node = and(a, b)
    expect(Object.isFrozen(node)).toBe(true)
    expect(node.kind === 'and' && Object.isFrozen(node.operands)).toBe(true)
  })
})

describe('not, constant, booleanProperty, logical', () => {
  it('are frozen nodes', () => {
    const nodes = [not(a), constant(true), a, logical('or', [a, b])]
    expect(nodes.map(({ kind }) => kind)).toEqual(['not', 'constant', 'property', 'or'])
    expect(nodes.every(Object.isFrozen)).toBe(true)
  })

  it('take no truthy value for true', () => {
    expect(constant('yes' as never)).toEqual(constant(false))
  })

  it.each(['true', 'a b', '', undefined])('take no property named %j', (name) => {
    expect(() => booleanProperty(name as never)).toThrow(PropertyNameError)
  })
})
