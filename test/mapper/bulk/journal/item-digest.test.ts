import {
  converted,
  defineEntity,
  Entity,
  encrypted,
  encryptionKeys,
  Ignore,
  type KeyCodec,
  key,
  Operation,
  PartitionKey,
  Property,
  RowKey,
  type SelfMapped,
  union,
} from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Customer, customer } from '../../customer.ts'
import { bulkAccount } from '../bulk-account.ts'
import { MemoryJournal } from './memory-journal.ts'

@Entity('entries')
class Hiding {
  @PartitionKey() day = 'd'
  @RowKey() id: string
  @Property('Int32') total: number

  constructor(id = '', total = 0) {
    this.id = id
    this.total = total
  }

  toJSON() {
    return { id: this.id }
  }
}

@Entity('entries')
class Mapped implements SelfMapped {
  @PartitionKey() day = 'd'
  @RowKey() id: string
  @Ignore() total: number

  constructor(id = '', total = 0) {
    this.id = id
    this.total = total
  }

  writeEntity(stored: DynamicEntity) {
    stored.set('total', this.total)
  }

  readEntity(stored: DynamicEntity) {
    this.total = stored.get('total')?.as('Int32') ?? 0
  }
}

/** An amount that shows nothing of itself. */
class Amount {
  readonly #total: number

  constructor(total: number) {
    this.#total = total
  }

  static totalOf(amount: Amount): number {
    return amount.#total
  }
}

@Entity('entries')
class Reading {
  @PartitionKey() day = 'd'
  @RowKey() id: string
  readonly #values = { total: 0 }

  constructor(id = '', total = 0) {
    this.id = id
    this.#values.total = total
  }

  @Property('Int32') get total(): number {
    return this.#values.total
  }

  set total(total: number) {
    this.#values.total = total
  }
}

describe('the journal of a bulk write', () => {
  it('holds digests without encrypted members, whose values a digest could reveal', async () => {
    const keys = encryptionKeys({ current: 'k', keys: { k: new Uint8Array(32).fill(1) } })
    const Patient = defineEntity({
      name: 'patients',
      partitionKey: key`${'city'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ city: z.string(), id: z.string(), age: z.int(), pin: z.string() }),
      columns: { pin: encrypted(keys) },
    })
    const patients = bulkAccount().account.table(Patient)
    await patients.create()
    const journal = new MemoryJournal()
    const patient = (pin: string, age = 1) => [{ city: 'Rome', id: '1', age, pin }]
    await patients.bulk({ journal }).insert(patient('1234'))
    expect(journal.text).not.toContain('1234')
    const other = await patients.bulk({ journal }).insert(patient('9999')).summary()
    expect(other).toMatchObject({ done: 1, resumed: 1 })
    const older = await patients.bulk({ journal }).insert(patient('1234', 2)).summary()
    expect(older.cause).toMatchObject({ code: 'JournalMismatch' })
    // In doubt, the decrypted content decides.
    const inDoubt = patients.bulk({ journal: journal.after(2) }).insert(patient('1234'))
    expect(await inDoubt).toMatchObject({ done: 1, resumed: 0 })
  })

  it('rejects another value of a converter that shows nothing of itself', async () => {
    const total = converted<Amount, number>({
      type: 'Int32',
      toStored: Amount.totalOf,
      fromStored: (stored) => new Amount(stored),
    })
    const Entry = defineEntity({
      name: 'entries',
      partitionKey: key`${'day'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ day: z.string(), id: z.string(), total: z.instanceof(Amount) }),
      columns: { total },
    })
    const entries = bulkAccount().account.table(Entry)
    await entries.create()
    const journal = new MemoryJournal()
    const entry = (sum: number) => [{ day: 'd', id: '1', total: new Amount(sum) }]
    await entries.bulk({ journal }).insert(entry(5))
    const other = await entries.bulk({ journal }).insert(entry(6)).summary()
    expect(other.cause).toMatchObject({ code: 'JournalMismatch' })
    expect(await entries.bulk({ journal }).insert(entry(5))).toMatchObject({ done: 1, resumed: 1 })
  })

  it('rejects other members that another type of a union encrypts', async () => {
    const kind = (rowKey: KeyCodec<{ id: string }>, more: object) =>
      defineEntity({
        name: 'entries',
        partitionKey: key`${'day'}`,
        rowKey,
        schema: z.object({ day: z.string(), id: z.string(), total: z.string() }),
        ...more,
      })
    const keys = encryptionKeys({ current: 'k', keys: { k: new Uint8Array(32).fill(1) } })
    const Open = kind(key`open_${'id'}`, {})
    const Sealed = kind(key`sealed_${'id'}`, { columns: { total: encrypted(keys) } })
    const entries = bulkAccount().account.table('entries', union(Open, Sealed))
    await entries.create()
    const journal = new MemoryJournal()
    const input = (total: string) => [Operation.insert(Open, { day: 'd', id: '1', total })]
    await entries.bulk({ journal }).execute(input('a'))
    const other = await entries.bulk({ journal }).execute(input('b')).summary()
    expect(other.cause).toMatchObject({ code: 'JournalMismatch' })
  })

  it.each([
    ['has a toJSON that hides them', Hiding],
    ['reads them by accessors', Reading],
    ['stores ignored ones itself', Mapped],
  ])('rejects objects with other members, also of a class that %s', async (_, Entry) => {
    const entries = bulkAccount().account.table<Hiding | Reading | Mapped>(Entry)
    await entries.create()
    const journal = new MemoryJournal()
    await entries.bulk({ journal }).insert([new Entry('1', 5)])
    const other = await entries
      .bulk({ journal })
      .insert([new Entry('1', 6)])
      .summary()
    expect(other.cause).toMatchObject({ code: 'JournalMismatch' })
    expect(await entries.bulk({ journal }).insert([new Entry('1', 5)])).toMatchObject({
      done: 1,
      resumed: 1,
    })
  })

  it('tells NaN from an infinity, which JSON does not', async () => {
    const customers = bulkAccount().account.table(Customer)
    await customers.create()
    const journal = new MemoryJournal()
    const rated = (rating: number) => [customer('Smith', 'Jeff', { rating })]
    await customers.bulk({ journal }).insert(rated(Number.NaN))
    const other = await customers.bulk({ journal }).insert(rated(Infinity)).summary()
    expect(other.cause).toMatchObject({ code: 'JournalMismatch' })
  })
})
