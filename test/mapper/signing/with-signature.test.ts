import {
  Encrypted,
  Entity,
  encryptionKeys,
  PartitionKey,
  RowKey,
  StoreAs,
  signingKeys,
} from '@rowkey/mapper'
import { type DecodeErrorDetails, DynamicEntity, EntityProperty } from '@rowkey/odata'
import type { EntityResolver, Secret } from '@rowkey/query'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FreshAccount, freshTable } from '../fresh-account.ts'

const s1 = Buffer.alloc(32, 1)
const s2 = Buffer.alloc(32, 2)
const signing = signingKeys({ current: 's1', keys: { s1 } })
const keys = encryptionKeys({ current: 'k1', keys: { k1: Buffer.alloc(32, 3) } })

@Entity({ name: 'orders', signing })
class Order {
  @PartitionKey() customer = ''
  @RowKey() number = ''
  @StoreAs('t') total?: number
  note?: string = undefined as never
  @Encrypted(keys) card?: Secret<string>
}

const key = ['Smith', '1'] as const
const order = (more: Partial<Order> = {}) =>
  Object.assign(new Order(), { customer: 'Smith', number: '1', total: 10, note: 'n', ...more })

const rowsOf = ({ account }: FreshAccount) => account.table('orders')
const rejected = (details: DecodeErrorDetails) =>
  expect.objectContaining({
    code: 'SignatureInvalid',
    message: expect.stringMatching(/^Order \[/),
    details: expect.objectContaining(details),
  })
const tampered = rejected({ reason: 'tampered', keyId: 's1' })

describe('a signed class', () => {
  it('R-128: stores a signature that no member shows, and reads what it signed', async () => {
    const fresh = await freshTable(Order)
    await fresh.table.insert(order({ card: '4711' }))
    expect((await rowsOf(fresh).get(key)).get('Signature')?.type).toBe('Binary')
    const read = await fresh.table.get(key)
    expect(read).toEqual(order({ card: '4711' }))
    expect(read).not.toHaveProperty('Signature')
  })

  it.each<[string, (row: DynamicEntity) => DynamicEntity]>([
    ['a value was altered', (row) => row.set('t', 11)],
    ['a type was altered', (row) => row.set('t', EntityProperty.double(10))],
    ['a property was added', (row) => row.set('extra', 1)],
    ['the encrypted bytes are others', (row) => row.set('card', Uint8Array.of(1))],
  ])('R-128: rejects an entity when %s', async (_what, tamper) => {
    const fresh = await freshTable(Order)
    await fresh.table.insert(order({ card: '4711' }))
    const rows = rowsOf(fresh)
    await rows.merge(tamper(await rows.get(key)))
    await expect(fresh.table.get(key)).rejects.toThrow(tampered)
    await expect(fresh.table.find(key)).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'SignatureInvalid' }),
    )
    const all = fresh.table.query().where({ customer: 'Smith' }).toArray()
    await expect(all).rejects.toThrow(tampered)
  })

  it('R-128: rejects an entity that lost a property or was moved', async () => {
    const fresh = await freshTable(Order)
    await fresh.table.insert(order())
    const rows = rowsOf(fresh)
    const row = await rows.get(key)
    const properties = Object.fromEntries(
      ['t', 'note', 'Signature'].map((name) => [name, row.get(name) as EntityProperty]),
    )
    await rows.insert(new DynamicEntity('Smith', '2', properties))
    await expect(fresh.table.get(['Smith', '2'])).rejects.toThrow(tampered)
    const { note, ...rest } = properties
    expect(note?.value).toBe('n')
    await rows.insert(new DynamicEntity('Smith', '3', rest))
    await expect(fresh.table.get(['Smith', '3'])).rejects.toThrow(tampered)
    const { Signature, ...unsigned } = rest
    expect(Signature?.type).toBe('Binary')
    await rows.insertOrReplace(new DynamicEntity('Smith', '1', unsigned))
    await expect(fresh.table.get(key)).rejects.toThrow(rejected({ reason: 'unsigned' }))
  })

  it('signs the result of a merge, including properties that it does not declare', async () => {
    const fresh = await freshTable(Order)
    class Wider extends Order {
      extra?: number = undefined as never
    }
    const wider = fresh.account.table(Wider)
    await wider.insert(Object.assign(new Wider(), order(), { extra: 5 }))
    const read = await fresh.table.get(key)
    read.total = 12
    await fresh.table.merge(read)
    read.note = 'second'
    await fresh.table.merge(read)
    expect(await wider.get(key)).toMatchObject({ total: 12, note: 'second', extra: 5 })
    await fresh.table.replace(read)
    expect(await wider.get(key)).toMatchObject({ total: 12, note: 'second', extra: 5 })
  })

  it('sends nothing when nothing changed, and one signature when something did', async () => {
    const { table, sent } = await freshTable(Order)
    const given = order()
    await table.insert(given)
    sent.length = 0
    await table.merge(given)
    expect(sent).toEqual([])
    given.total = 11
    await table.merge(given)
    expect(Object.keys(JSON.parse(String(sent[0]?.body)))).toEqual([
      'PartitionKey',
      'RowKey',
      't',
      'Signature@odata.type',
      'Signature',
    ])
  })

  it('reads what it wrote after any sequence of writes', async () => {
    const { table } = await freshTable(Order)
    const change = fc.record({
      how: fc.constantFrom('merge', 'replace', 'insertOrReplace' as const),
      total: fc.double({ noNaN: true }),
      note: fc.string({ unit: 'grapheme' }),
      card: fc.string(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
        let current = await table.insertOrReplace(order({ card: 'x' }))
        for (const { how, ...values } of changes) {
          await table[how as 'merge'](Object.assign(current, values))
          const read = await table.get(key)
          expect(read).toMatchObject(values)
          current = read
        }
      }),
      { numRuns: 15 },
    )
  })

  it('is signed when it is modified, and when a property goes', async () => {
    const { table } = await freshTable(Order)
    await table.insert(order())
    await table.modify(key, (each) => {
      each.total = 20
    })
    expect((await table.get(key)).total).toBe(20)
    await table.modify(key, (each) => {
      delete each.note
    })
    expect((await table.get(key)).note).toBeUndefined()
  })

  it('is signed in batches too', async () => {
    const { table } = await freshTable(Order)
    const first = await table.insert(order())
    first.total = 5
    await table
      .batch()
      .merge(first)
      .insert(order({ number: '2' }))
      .submit()
    expect((await table.query().where({ customer: 'Smith' }).toArray()).length).toBe(2)
    await table.batch().merge(first).submit()
    expect((await table.get(key)).total).toBe(5)
  })

  it('rejects a merge into an unknown entity, and sends nothing', async () => {
    const { table, sent } = await freshTable(Order)
    await table.insert(order())
    const read = await table.get(key)
    read.total = 11
    sent.length = 0
    await expect(table.merge(order(), { etag: '*' })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'UnsignableMerge' }),
    )
    await expect(table.merge(read, { etag: '*' })).rejects.toThrow(/Order.*its own ETag/)
    await expect(table.insertOrMerge(read)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'UnsignableMerge' }),
    )
    expect(() => table.batch().insertOrMerge(order())).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'UnsignableMerge' }),
    )
    expect(() => table.batch().merge(read, { etag: '*' })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'UnsignableMerge' }),
    )
    expect(sent).toEqual([])
    await table.merge(read)
    expect((await table.get(key)).total).toBe(11)
  })

  it('rejects an attempt to be read in part, and sends nothing', async () => {
    const { table, sent } = await freshTable(Order)
    await expect(table.get(key, { select: ['total'] })).rejects.toMatchObject({
      code: 'InvalidQuery',
    })
    expect(() => table.query().select('total')).toThrow(/signed.*whole/)
    expect(sent).toEqual([])
  })

  it('verifies the row before a resolver receives it', async () => {
    const fresh = await freshTable(Order)
    await fresh.table.insert(order())
    const total: EntityResolver<unknown> = (_p, _r, _t, properties) => properties.get('t')?.value
    const orders = fresh.table.query().where({ customer: 'Smith' }).resolve(total)
    expect(await fresh.table.get(key, { resolve: total })).toBe(10)
    expect(await orders.toArray()).toEqual([10])
    const rows = rowsOf(fresh)
    await rows.merge((await rows.get(key)).set('t', 11))
    await expect(fresh.table.get(key, { resolve: total })).rejects.toThrow(tampered)
    await expect(orders.toArray()).rejects.toThrow(tampered)
  })

  it('reads unsigned entities while a table is being signed, and a replace signs them', async () => {
    const fresh = await freshTable(Order)
    const rows = rowsOf(fresh)
    await rows.insert(new DynamicEntity('Smith', '1', { t: 3, note: 'n' }))
    await expect(fresh.table.get(key)).rejects.toThrow(/no signature/)
    @Entity({
      name: 'orders',
      signing: signingKeys({ current: 's1', keys: { s1 }, unsigned: 'read' }),
    })
    class Migrated extends Order {}
    const migrated = fresh.account.table(Migrated)
    await migrated.replace(await migrated.get(key))
    expect((await fresh.table.get(key)).total).toBe(3)
  })

  it('rotates: reads with any key of the ring, and writes with the current one', async () => {
    const { table, account } = await freshTable(Order)
    await table.insert(order())
    @Entity({ name: 'orders', signing: signingKeys({ current: 's2', keys: { s1, s2 } }) })
    class Rotated extends Order {}
    const rotated = account.table(Rotated)
    await rotated.replace(await rotated.get(key))
    await expect(table.get(key)).rejects.toThrow(rejected({ reason: 'unknownKey', keyId: 's2' }))
    expect((await rotated.get(key)).total).toBe(10)
  })

  it('is inherited, and verified for subclasses', async () => {
    class Special extends Order {}
    const fresh = await freshTable(Order)
    const specials = fresh.account.table(Special)
    await specials.insert(Object.assign(new Special(), order()))
    const rows = rowsOf(fresh)
    await rows.merge((await rows.get(key)).set('t', 1))
    await expect(specials.get(key)).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'SignatureInvalid' }),
    )
  })

  it('verifies the echo of an insert', async () => {
    const { table } = await freshTable(Order)
    expect(await table.insert(order(), { echo: true })).toEqual(order())
  })
})
