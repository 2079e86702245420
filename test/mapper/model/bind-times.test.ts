import { defineEntity, key } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const times = { createdAt: 'createdAt', updatedAt: 'changedAt' } as const
const keys = { partitionKey: key`${'p'}`, rowKey: key`o_${'r'}` } as const
const schema = z.object({
  p: z.string(),
  r: z.string(),
  note: z.string().optional(),
  state: z.string().default('open'),
  createdAt: z.date().optional(),
  changedAt: z.date().optional(),
})

describe('the times of a model', () => {
  it.each<[string, object, RegExp]>([
    ['a missing property', { createdAt: 'made' }, /made.*createdAt needs.*z\.date\(\)\.optional/s],
    ['a property of another type', { updatedAt: 'note' }, /note.*DateTime/s],
    ['one property for both', { createdAt: 'createdAt', updatedAt: 'createdAt' }, /two properties/],
    ['a required property', { createdAt: 'due' }, /leave it out/],
    ['a default', { createdAt: 'since' }, /no default/],
  ])('are rejected for %s', (_what, options, message) => {
    const extended = schema.extend({ due: z.date(), since: z.date().default(() => new Date()) })
    expect(() =>
      defineEntity({ name: 'orders', ...keys, schema: extended, ...(options as typeof times) }),
    ).toThrow(message)
  })
})
