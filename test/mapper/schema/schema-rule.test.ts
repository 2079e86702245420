import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toSchemaRule } from '../../../packages/mapper/src/schema/schema-rule.ts'

const schema = z.object({ id: z.string() })
const rule = (options: object) => toSchemaRule('orders', schema, options)

describe('toSchemaRule', () => {
  it('reads strictly by default', () => {
    expect(rule({})).toMatchObject({ read: 'strict', onDrift: undefined })
    expect(Object.isFrozen(rule({}))).toBe(true)
    const onDrift = () => {}
    expect(rule({ read: 'report', onDrift })).toMatchObject({ read: 'report', onDrift })
  })

  it.each([
    [{ read: 'loose' }, /read must be 'strict', 'lenient' or 'report'; got 'loose'/],
    [{ read: 'report' }, /belong together/],
    [{ onDrift: () => {} }, /belong together/],
    [{ read: 'report', onDrift: 'log' }, /belong together/],
  ])('rejects %o', (options, message) => {
    expect(() => rule(options)).toThrow(ModelError)
    expect(() => rule(options)).toThrow(message)
  })

  it.each([z.string(), {} as never])('rejects what is not an object schema: %o', (given) => {
    expect(() => toSchemaRule('orders', given, {})).toThrow(ModelError)
    expect(() => toSchemaRule('orders', given, {})).toThrow(
      /must be an object schema of zod 4, valibot 1 or arktype 2/,
    )
  })
})
