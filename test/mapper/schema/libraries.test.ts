import { type } from 'arktype'
import { connect, defineEntity, key, SchemaError } from 'rowkey'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const keys = { partitionKey: key`${'customerId'}`, rowKey: key`${'orderNo:8'}` }
const withZod = defineEntity({
  ...keys,
  name: 'orders',
  schema: z.object({
    customerId: z.string(),
    orderNo: z.number().int(),
    total: z.number(),
    state: z.enum(['open', 'sent']).default('open'),
    tags: z.array(z.string()),
    address: z.object({ city: z.string() }).optional(),
    paid: z
      .discriminatedUnion('by', [
        z.object({ by: z.literal('card'), no: z.number() }),
        z.object({ by: z.literal('cash') }),
      ])
      .optional(),
  }),
})
const withValibot = defineEntity({
  ...keys,
  name: 'orders',
  schema: v.object({
    customerId: v.string(),
    orderNo: v.pipe(v.number(), v.integer()),
    total: v.number(),
    state: v.optional(v.picklist(['open', 'sent']), 'open'),
    tags: v.array(v.string()),
    address: v.optional(v.object({ city: v.string() })),
    paid: v.optional(
      v.variant('by', [
        v.object({ by: v.literal('card'), no: v.number() }),
        v.object({ by: v.literal('cash') }),
      ]),
    ),
  }),
})
const withArktype = defineEntity({
  ...keys,
  name: 'orders',
  schema: type({
    customerId: 'string',
    orderNo: 'number.integer',
    total: 'number',
    state: "'open' | 'sent' = 'open'",
    tags: 'string[]',
    'address?': { city: 'string' },
    'paid?': [{ by: "'card'", no: 'number' }, '|', { by: "'cash'" }],
  }),
})

describe.each([
  ['zod', withZod],
  ['valibot', withValibot as never as typeof withZod],
  ['arktype', withArktype as never as typeof withZod],
])('a model of %s', (_, model) => {
  it('infers, defaults, stores arrays and objects as JSON, and reads all of it back', async () => {
    const account = connect('memory:')
    const orders = account.table(model)
    await orders.create()
    const given = {
      customerId: 'c1',
      orderNo: 7,
      total: 9.5,
      tags: ['a'],
      address: { city: 'Rome' },
      paid: { by: 'card' as const, no: 5 },
    }
    await orders.insert(given)
    const order = await orders.get({ customerId: 'c1', orderNo: 7 })
    expect(order).toEqual({ ...given, state: 'open' })
    order.tags.push('b')
    await orders.merge(order)
    const row = await account.table('orders').get(['c1', '00000007'])
    expect([...row.properties].map(([name, { type, value }]) => [name, type, value])).toEqual(
      expect.arrayContaining([
        ['total', 'Double', 9.5],
        ['state', 'String', 'open'],
        ['tags', 'String', '["a","b"]'],
        ['address', 'String', '{"city":"Rome"}'],
        ['paid', 'String', '{"by":"card","no":5}'],
      ]),
    )
    await account.close()
  })

  it('names the property of an invalid value', async () => {
    const account = connect('memory:')
    const orders = account.table(model)
    await orders.create()
    const wrong = { customerId: 'c1', orderNo: 7, total: 'much', tags: [] } as never
    const failure = orders.insert(wrong)
    await expect(failure).rejects.toThrow(SchemaError)
    await expect(failure).rejects.toThrow(/total/)
    await account.close()
  })
})

it.each([
  ['valibot', withValibot],
  ['arktype', withArktype],
])('the types of a model follow from a schema of %s', async (_, model) => {
  const account = connect('memory:')
  const orders = account.table(model)
  await orders.create()
  const key = { customerId: 'c', orderNo: 1, tags: [] }
  // @ts-expect-error the total is a number
  const wrong: Parameters<typeof orders.insert>[0] = { ...key, total: '1' }
  await expect(orders.insert(wrong)).rejects.toThrow(SchemaError)
  const { state } = await orders.insert({ ...key, total: 1 })
  const known: 'open' | 'sent' | undefined = state
  expect(known).toBe('open')
  await account.close()
})
