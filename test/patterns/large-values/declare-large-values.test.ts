import { type Account, defineEntity, key, ModelError } from '@rowkey/mapper'
import { blobStore, chunkStore, declareLargeValues, type LargeValueStore } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { blobContainer } from './blob-container.ts'
import { jones, opened, photo, program, shown } from './employee-photos.ts'
import { addressesOf } from './opened-stores.ts'

describe('declareLargeValues', () => {
  it('R-157: keeps the value outside, and its address in the row', async () => {
    const { employees, photos, account, store } = await opened()
    const entity = { ...jones }
    await photos.stage(entity, photo('portrait'))
    await employees.insert(entity)
    expect(shown(await photos.load(await employees.get(jones)))).toBe('portrait')
    const row = await account.table('staff').get(['Sales', '223'])
    expect(row.get('PhotoUrl')?.value).toBe('devstoreaccount1/staff/Sales/223/PhotoUrl/id00000002')
    expect(await addressesOf(store)).toEqual([
      'devstoreaccount1/staff/Sales/223/PhotoUrl/id00000002',
    ])
  })

  it.each<readonly [string, () => unknown]>([
    ['returns no promise', () => undefined],
    [
      'throws at once',
      () => {
        throw new RangeError('the store is away')
      },
    ],
  ])('a save succeeds with a store whose delete %s', async (_what, remove) => {
    const { account, now } = office()
    const inner = blobStore(blobContainer(() => now))
    const { Employee, photos } = program({ ...inner, delete: remove as LargeValueStore['delete'] })
    const [employees, values] = [account.table(Employee), photos.on(account)]
    await employees.create()
    const entity = await employees.insert({ ...jones })
    await values.save(entity, photo('first'))
    await values.save(entity, photo('second'))
    expect(shown(await values.load(await employees.get(jones)))).toBe('second')
  })

  it('each account has its own store and its own values, also for the check of a write', async () => {
    const [one, two] = [office(), office()]
    const Employee = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), photo: z.string().optional() }),
    })
    const made: Account[] = []
    const photos = declareLargeValues(Employee, {
      property: 'photo',
      store: (account) => {
        made.push(account)
        return chunkStore(account, { table: 'chunks' })
      },
    })
    const rowsIn = ({ account }: typeof one) =>
      account.table('chunks').query().allowTableScan().count()
    for (const { account } of [one, two]) {
      await account.createTable('chunks')
      await account.table(Employee).create()
      const entity = await account.table(Employee).insert({ ...jones })
      await photos.on(account).save(entity, photo('portrait'))
    }
    expect(made).toEqual([one.account, two.account])
    expect([await rowsIn(one), await rowsIn(two)]).toEqual([2, 2])
    await one.account.table(Employee).delete(jones, { etag: '*' })
    for (const place of [one, two]) place.now = Date.now() + 1_000
    expect(await photos.on(two.account).sweep({ olderThan: 0 })).toEqual({ checked: 1, deleted: 0 })
    expect(await photos.on(one.account).sweep({ olderThan: 0 })).toEqual({ checked: 1, deleted: 1 })
    expect([await rowsIn(one), await rowsIn(two)]).toEqual([0, 2])
  })

  it('rejects a property that is not plain text', async () => {
    const { store } = await opened()
    const Odd = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), photo: z.number() }),
    })
    expect(() => declareLargeValues(Odd, { property: 'photo', store: () => store })).toThrow(
      ModelError,
    )
    expect(() => declareLargeValues(Odd, { property: 'id' as never, store: () => store })).toThrow(
      ModelError,
    )
  })
})
