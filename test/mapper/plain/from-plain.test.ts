import {
  DateTime,
  defineEntity,
  Entity,
  ETag,
  fromPlain,
  key,
  lifetime,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  Timestamp,
  toPlain,
} from '@rowkey/mapper'
import { DateTimeValue, InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'
import { Money, Wallet, wallet } from './wallet.ts'

const Note = defineEntity({
  name: 'notes',
  partitionKey: key`${'to'}`,
  rowKey: key`${'no:4'}`,
  schema: z.object({ to: z.string(), no: z.int(), size: z.bigint(), at: z.date().optional() }),
})

const rejectionOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof InputError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'nothing'
}

describe('fromPlain', () => {
  it('makes the entity again that toPlain showed', () => {
    const again = fromPlain(Wallet, JSON.parse(JSON.stringify(toPlain(wallet()))))
    expect(again).toBeInstanceOf(Wallet)
    const ofTheService = { etag: undefined, modified: undefined }
    expect(again).toStrictEqual(Object.assign(wallet(), ofTheService))
    expect(again.limit).toBeInstanceOf(Money)
  })

  it('leaves out the ETag, the Timestamp and the time of a soft delete', () => {
    @Entity({ name: 'notes', lifetime: lifetime({ expiresAt: 'until', deletedAt: 'deletedOn' }) })
    class Note {
      @PartitionKey() owner = ''
      @RowKey() id = ''
      @ETag() etag?: string
      @Timestamp() modified?: Date
      @DateTime() until?: Date
      @DateTime() deletedOn?: Date
    }
    const time = '2026-11-23T06:17:14Z'
    const body = { etag: '*', modified: time, until: time, deletedOn: time }
    const note = fromPlain(Note, body)
    expect(note).toEqual(Object.assign(new Note(), { until: DateTimeValue.parse(time) }))
    expect(fromPlain(Note, body, { only: ['deletedOn', 'until'] }).deletedOn).toEqual(
      new Date(time),
    )
  })

  it('takes the ETag of the caller as a condition where `only` names it, and never the one of any version', async () => {
    const wallets = freshAccount().account.table(Wallet)
    await wallets.create()
    const { etag = '' } = await wallets.insert(new Wallet())
    const opened = '1970-01-01'
    const body = { owner: '', opened, no: '0', label: 'mine' }
    const only = ['owner', 'opened', 'no', 'label', 'etag'] as const
    const late = fromPlain(Wallet, { ...body, etag: `${etag}x` }, { only })
    await expect(wallets.merge(late)).rejects.toThrow(/ETag|condition/i)
    await wallets.merge(fromPlain(Wallet, { ...body, etag }, { only }))
    expect(rejectionOf(() => fromPlain(Wallet, { ...body, etag: '*' }, { only }))).toMatch(
      /^InvalidPropertyValue: Wallet\.etag is '\*', which is the ETag of no row/,
    )
  })

  it('rejects a member that `only` does not name, and a name that the model does not declare', () => {
    const only = ['label'] as const
    expect(fromPlain(Wallet, { label: 'a', etag: 'x' }, { only })).toMatchObject({ label: 'a' })
    expect(rejectionOf(() => fromPlain(Wallet, { balance: '5' }, { only }))).toBe(
      'MemberNotAllowed: Wallet.balance may not be set here: only label may. Leave it out.',
    )
    const misspelled = { only: ['lable'] as never }
    expect(rejectionOf(() => fromPlain(Wallet, {}, misspelled))).toMatch(
      /^UndeclaredProperty: Wallet\.lable/,
    )
  })

  it('reads an object of a model', () => {
    expect(
      fromPlain(Note, { to: 'ann', no: 1, size: '5', at: '2026-11-23T06:17:14Z' }),
    ).toMatchObject({
      size: 5n,
      at: new Date('2026-11-23T06:17:14Z'),
    })
  })

  it('keeps a null that the schema requires, so that the entity can be written', async () => {
    const Note = defineEntity({
      name: 'notes',
      partitionKey: key`${'user'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ user: z.string(), id: z.string(), text: z.string().nullable() }),
    })
    const notes = freshAccount().account.table(Note)
    await notes.create()
    await notes.insert({ user: 'ann', id: '1', text: null })
    const note = fromPlain(Note, toPlain(await notes.get({ user: 'ann', id: '1' }), Note))
    expect(note).toEqual({ user: 'ann', id: '1', text: null })
    await notes.insertOrReplace(note)
  })

  it('takes a safe number for an Int64, and null for no value', () => {
    const read = fromPlain(modelOf(Wallet), { owner: 'ann', balance: 5, label: null, count: 2 })
    expect(read).toMatchObject({ balance: 5n, label: undefined, count: 2, no: 0n })
  })

  it.each([
    [{ balance: '5x' }, /^InvalidPropertyValue: Wallet\.balance is a value of type string.*Int64/],
    [{ balance: 2 ** 60 }, /^InvalidPropertyValue: Wallet\.balance/],
    [{ at: 'tomorrow' }, /^InvalidPropertyValue: Wallet\.at .*DateTime/],
    [{ seal: '%' }, /^InvalidPropertyValue: Wallet\.seal .*base64/],
    [{ count: 'many' }, /^InvalidPropertyValue: Wallet\.count/],
    [{ label: { deep: 1 } }, /^InvalidPropertyValue: Wallet\.label/],
    [{ opened: '2026-11-23T06:00:00Z' }, /^InvalidKeyPart: .*opened/],
    [{ no: '123456789' }, /^InvalidKeyPart: .*no/],
    [{ limit: 'much' }, /^InvalidPropertyValue: Wallet\.limit/],
    [{ session: {} }, /^UndeclaredProperty: Wallet\.session .*@Ignore/],
    [{ admin: true }, /^UndeclaredProperty: Wallet\.admin .*Declare it/],
    [JSON.parse('{"__proto__":{"admin":true}}'), /^UndeclaredProperty: Wallet\.__proto__/],
    [null, /^InvalidEntity: .*got null/],
    [[], /^InvalidEntity: .*an array/],
    ['{}', /^InvalidEntity: /],
  ])('rejects %j', (given, message) => {
    expect(rejectionOf(() => fromPlain(Wallet, given))).toMatch(message)
  })

  it('takes the type of a member with accessors from its value in a fresh entity', () => {
    @Entity('purses')
    class Purse {
      #coins = 0n
      @PartitionKey() owner = ''
      @RowKey() id = ''

      @Property() get coins(): bigint {
        return this.#coins
      }
      set coins(coins: bigint) {
        this.#coins = coins
      }
    }
    const purse = Object.assign(new Purse(), { owner: 'jeff', id: '1', coins: 7n })
    expect(fromPlain(Purse, JSON.parse(JSON.stringify(purse))).coins).toBe(7n)
  })

  it('checks a member by the type that the compiler recorded, as a write does', async () => {
    @Entity('people')
    class Person {
      @PartitionKey() team = ''
      @RowKey() id = ''
      @Property() name!: string
      @Property() age?: number
    }
    const people = freshAccount().account.table(Person)
    await people.create()
    const person = Object.assign(new Person(), { team: 'a', id: '1', name: 5, age: 'old' })
    const wrong = [() => fromPlain(Person, { name: 5 }), () => fromPlain(Person, { age: 'old' })]
    if (process.env.DECORATORS !== 'legacy') {
      // Nothing tells the type, so the value does.
      for (const read of wrong) expect(read).not.toThrow()
      await people.insert(person)
      return
    }
    for (const read of wrong)
      expect(rejectionOf(read)).toMatch(/^InvalidPropertyValue: .* is declared as/)
    await expect(people.insert(person)).rejects.toThrow(/Person\.name is declared as string, but/)
    await people.insert(Object.assign(person, { name: 'Ann', age: 5.5 }))
  })

  it('does not repeat a value in a message', () => {
    expect(rejectionOf(() => fromPlain(Wallet, { balance: 'secret' }))).not.toContain('secret')
  })
})
