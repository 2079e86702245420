import {
  defineEntity,
  Entity,
  key,
  PartitionKey,
  type PlainOf,
  RowKey,
  toPlain,
} from '@rowkey/mapper'
import { DynamicEntity, EntityProperty, InputError } from '@rowkey/odata'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'
import { plain, Wallet, wallet } from './wallet.ts'

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

describe('toPlain', () => {
  it.each([null, undefined, 'text', 5])('rejects %j in place of an entity', (entity) => {
    expect(() => toPlain(entity as never)).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: expect.stringContaining('toPlain takes an entity'),
      }),
    )
  })

  it('shows each member of the model, without those of @Ignore and those without a value', () => {
    expect(toPlain(wallet())).toStrictEqual(plain)
  })

  it('gives what structuredClone and JSON keep as it is', () => {
    const given = toPlain(wallet())
    expect(structuredClone(given)).toStrictEqual(given)
    expect(JSON.parse(JSON.stringify(given))).toStrictEqual(given)
  })

  it('is what JSON.stringify shows of an entity', async () => {
    const { account } = freshAccount()
    const wallets = account.table(Wallet)
    await wallets.create()
    await wallets.insert(wallet())
    const stored = await wallets.get(['jeff', '2026-11-23_00000007'])
    const shown = JSON.parse(JSON.stringify({ list: [stored] })).list[0]
    expect(shown).toStrictEqual(toPlain(stored))
    expect(shown).toMatchObject({ balance: '1152921504606846976', etag: stored.etag })
    expect(new Date(shown.modified)).toStrictEqual(new Date(Number(stored.modified)))
  })

  it('leaves a toJSON of the class alone, and is inherited by subclasses', () => {
    @Entity('own')
    class Own {
      @PartitionKey() a = 'a'
      @RowKey() b = 'b'
      toJSON() {
        return 'own'
      }
    }
    class Sub extends Wallet {}
    expect(JSON.stringify(new Own())).toBe('"own"')
    expect(JSON.parse(JSON.stringify(Object.assign(new Sub(), wallet())))).toMatchObject({
      balance: plain.balance,
    })
    expect(Object.keys(new Wallet())).not.toContain('toJSON')
  })

  it('shows an object of a model, and any other object by its values', () => {
    expect(toPlain({ to: 'ann', no: 1, size: 5n }, Note)).toStrictEqual({
      to: 'ann',
      no: 1,
      size: '5',
    })
    expect(
      toPlain({ sizes: [1n, Number.POSITIVE_INFINITY], skip: undefined, none: null }),
    ).toStrictEqual({
      sizes: ['1', 'Infinity'],
      none: null,
    })
  })

  it('shows a DynamicEntity as the service does', () => {
    const row = new DynamicEntity('p', 'r', { n: EntityProperty.int64(5n) })
    expect(toPlain(row)).toStrictEqual({
      PartitionKey: 'p',
      RowKey: 'r',
      'n@odata.type': 'Edm.Int64',
      n: '5',
    })
  })

  it.each([
    [new Map(), /^InvalidPropertyValue: .*Wallet\.limit.*not a valid Int64/],
    [
      new (class Broken {
        get cents(): bigint {
          throw new Error('5 cents')
        }
      })(),
      /^ConversionFailed: Wallet\.limit cannot be written/,
    ],
  ])('names the member whose converter rejects its value, as a write does', (limit, message) => {
    const rejection = rejectionOf(() => toPlain(Object.assign(wallet(), { limit })))
    expect(rejection).toMatch(message)
    expect(rejection).not.toContain('5 cents')
  })

  it('has the type of what it returns', () => {
    const shown = toPlain(wallet())
    expectTypeOf(shown.balance).toEqualTypeOf<string>()
    expectTypeOf(shown.at).toEqualTypeOf<string | undefined>()
    expectTypeOf(shown.tags).toEqualTypeOf<{ readonly colors: readonly string[] } | undefined>()
    expectTypeOf<'greet' extends keyof typeof shown ? true : false>().toEqualTypeOf<false>()
    expectTypeOf<PlainOf<readonly bigint[]>>().toEqualTypeOf<readonly string[]>()
  })
})
