import { modelOf } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { callOf } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { modelParts } from '../../../packages/mapper/src/rows/table-parts.ts'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { reloadEntity } from '../../../packages/mapper/src/writes/reload-entity.ts'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'
import { plain } from '../plain-snapshot.ts'

describe('reloadEntity', () => {
  async function reloadedJeff() {
    const { table, service } = await freshTable(Customer)
    const jeff = await table.insert(customer('Smith', 'Jeff', { age: 1 }))
    const parts = modelParts(service, modelOf(Customer), {})
    return {
      table,
      jeff,
      reload: (entity: Customer) => reloadEntity(parts, entity, callOf(service, {}, 'reload')),
    }
  }

  it('R-139: compares ETags, and not the values of the entity', async () => {
    const { table, jeff, reload } = await reloadedJeff()
    expect(await reload(jeff)).toBe(false)
    await table.insertOrReplace(customer('Smith', 'Jeff', { age: 1 }))
    expect(await reload(jeff)).toBe(true)
    expect(jeff.age).toBe(1)
  })

  it('lets the entity know the row that was read', async () => {
    const { table, jeff, reload } = await reloadedJeff()
    jeff.age = 2
    await table.insertOrMerge(jeff)
    await expect(table.replace(jeff)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(await reload(jeff)).toBe(false)
    expect(plain(snapshotOf(jeff))).toMatchObject({
      row: { age: 2 },
      etag: jeff.etag,
      partial: false,
    })
    expect(snapshotOf(jeff)?.current).toBeUndefined()
    await table.replace(jeff)
  })

  it('lets a dynamic entity know the row that was read', async () => {
    const { account } = freshAccount()
    const people = account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { age: 5 }))
    const jeff = new DynamicEntity('Smith', 'Jeff', { shoe: 43 })
    await people.reload(jeff)
    expect(jeff).toEqual(await people.get(['Smith', 'Jeff']))
    expect(await people.merge(jeff)).toBe(jeff)
    jeff.set('age', 6)
    await people.merge(jeff)
    expect((await people.get(['Smith', 'Jeff'])).get('age')?.value).toBe(6)
  })

  it('reads an entity that was never read, under its key', async () => {
    const { reload } = await reloadedJeff()
    const other = customer('Smith', 'Jeff')
    expect(await reload(other)).toBe(true)
    expect(other.age).toBe(1)
  })

  it('R-100: rejects an entity whose key changed since it was read', async () => {
    const { jeff, reload } = await reloadedJeff()
    jeff.firstName = 'Ann'
    await expect(reload(jeff)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ChangedKey' }),
    )
  })
})
