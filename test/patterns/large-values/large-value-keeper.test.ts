import { defineEntity, key, upgradeTable } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareLargeValues } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jones, opened, photo, shown } from './employee-photos.ts'

describe('declareLargeValues', () => {
  it('rejects copyTo into a table of the model, and allows a backup', async () => {
    const { employees, photos, account, Employee } = await opened()
    const entity = { ...jones }
    await photos.stage(entity, photo('portrait'))
    await employees.insert(entity)
    await account.createTable('other')
    const other = account.table(Employee, 'other')
    const copy = async () => employees.copyTo(other)
    await expect(copy()).rejects.toMatchObject({
      code: 'InvalidOptionValue',
      message: expect.stringMatching(/staff\.photo, .* save it in the new row; .* a backup/),
    })
    expect((await employees.copyTo(account.table('other'))).done).toBe(1)
  })

  it.each(['single', 'batch', 'bulk'] as const)(
    'R-157: a %s write cannot refer to a missing value, or to one of another row',
    async (way) => {
      const { employees, photos, account } = await opened()
      const other: { department: string; id: string; photo?: string } = { ...jones, id: '224' }
      await photos.stage(other, photo('other'))
      const addresses = [other.photo, 'devstoreaccount1/staff/Sales/223/PhotoUrl/gone', 'anything']
      for (const address of addresses) {
        const entity = { ...jones, photo: address }
        const writing = {
          single: () => employees.insert(entity),
          batch: () => employees.batch().insert(entity).submit(),
          bulk: async () => employees.bulk().insert([entity]),
        }[way]
        await expect(writing()).rejects.toThrow(/refers to/)
      }
      expect(await account.table('staff').query().allowTableScan().count()).toBe(0)
    },
  )

  it('a write that does not change the address costs nothing more', async () => {
    const { employees, photos, sent } = await opened()
    const entity = await employees.insert({ ...jones })
    await photos.save(entity, photo('one'))
    sent.length = 0
    entity.title = 'Manager'
    await employees.merge(entity)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('keeps the values of a property that a new version stores under another name', async () => {
    const { account, Employee, employees, photos, store, clock } = await opened()
    const Employee2 = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({
        department: z.string(),
        id: z.string(),
        portrait: z.string().optional(),
      }),
      version: 2,
      previous: Employee,
      migrate: ({ department, id, photo: portrait }) => ({ department, id, portrait }),
    })
    const values = declareLargeValues(Employee2, { property: 'portrait', store: () => store })
    const portraits = values.on(account)
    const later = account.table(Employee2)
    await photos.save(await employees.insert({ ...jones }), photo('one'))
    await photos.save(await employees.insert({ ...jones, id: '7' }), photo('other'))

    const migrated = await later.get(jones)
    expect(shown(await portraits.load(migrated))).toBe('one')
    await later.merge(migrated)
    clock.now += 3_600_001
    // A program of the earlier version may still sweep.
    expect(await photos.sweep()).toEqual({ checked: 2, deleted: 0 })
    expect(await portraits.sweep()).toEqual({ checked: 2, deleted: 0 })
    expect((await upgradeTable(later)).upgraded).toBe(1)
    expect(shown(await portraits.load(await later.get(jones)))).toBe('one')

    await portraits.save(migrated, photo('two'))
    clock.now += 3_600_001
    expect(await portraits.sweep()).toEqual({ checked: 3, deleted: 1 })
    expect(shown(await portraits.load(await later.get({ ...jones, id: '7' })))).toBe('other')
    // Another row never gets the value.
    const { portrait = '' } = await later.get(jones)
    const seven = account.table('staff')
    await seven.merge(new DynamicEntity('Sales', '7', { other: portrait }), { etag: '*' })
    const moved = { ...jones, id: '7', portrait }
    await expect(later.replace(moved, { etag: '*' })).rejects.toMatchObject({
      code: 'InvalidLargeValue',
    })
  })
})
