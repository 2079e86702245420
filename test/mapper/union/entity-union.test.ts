import { defineEntity, key, Operation, union } from '@rowkey/mapper'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const keys = { name: 'events', partitionKey: key`${'stream'}`, rowKey: key`${'no:8'}` } as const
const Event = z.discriminatedUnion('type', [
  z.object({ stream: z.string(), no: z.int32(), type: z.literal('made'), by: z.string() }),
  z.object({ stream: z.string(), no: z.int32(), type: z.literal('paid'), amount: z.number() }),
])
const [made, paid] = Event.options
const Made = defineEntity({ ...keys, schema: made, discriminator: { type: 'made' } })
const Paid = defineEntity({ ...keys, schema: paid, discriminator: { type: 'paid' } })

async function freshEvents() {
  const { account } = freshAccount()
  const events = account.table('events', union(Made, Paid))
  await events.create()
  await events.insert({ stream: 's', no: 1, type: 'made', by: 'ann' })
  await events.execute(Operation.insert({ stream: 's', no: 2, type: 'paid' as const, amount: 5 }))
  return { account, events }
}

describe('a discriminated union as the types of a table', () => {
  it('reads each row as its option, and narrows it by the property', async () => {
    const { account, events } = await freshEvents()
    const seen: (string | number)[] = []
    for await (const event of events.query().where({ stream: 's' })) {
      seen.push(event.type === 'paid' ? event.amount : event.by)
    }
    expect(seen).toEqual(['ann', 5])
    const row = await account.table('events').get(['s', '00000002'])
    expect([...row.properties].map(([name, { value }]) => [name, value])).toEqual([
      ['type', 'paid'],
      ['amount', 5],
    ])
  })

  it('finds rows by the property, and by ofType', async () => {
    const { events } = await freshEvents()
    expect(await events.query().where({ stream: 's', type: 'paid' }).count()).toBe(1)
    expect(await events.ofType(Made).query().where({ stream: 's' }).toArray()).toMatchObject([
      { by: 'ann' },
    ])
  })

  it('changes rows, and rejects another type', async () => {
    const { events } = await freshEvents()
    const event = await events.ofType(Paid).get({ stream: 's', no: 2 })
    event.amount = 6
    await events.merge(event)
    expect(await events.ofType(Paid).get({ stream: 's', no: 2 })).toMatchObject({ amount: 6 })
    await expect(
      events.insert({ stream: 's', no: 3, type: 'sent', by: 'x' } as never),
    ).rejects.toMatchObject({ name: 'InputError' })
  })
})

it('a property that takes several texts must have that of the type', async () => {
  const { account } = freshAccount()
  const Wide = defineEntity({
    ...keys,
    schema: v.object({ stream: v.string(), no: v.number(), type: v.picklist(['a', 'b']) }),
    discriminator: { type: 'a' },
  })
  const table = account.table(Wide)
  await table.create()
  await table.insert({ stream: 's', no: 1, type: 'a' })
  await expect(table.insert({ stream: 's', no: 2, type: 'b' })).rejects.toThrow(/must be 'a'/)
  const event = await table.get({ stream: 's', no: 1 })
  event.type = 'b'
  await expect(table.merge(event)).rejects.toThrow(/must be 'a'/)
})

it('a property that does not take the text of the type is rejected', () => {
  expect(() => defineEntity({ ...keys, schema: made, discriminator: { type: 'other' } })).toThrow(
    /'type' stores its type/,
  )
})
