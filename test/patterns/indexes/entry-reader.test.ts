import { defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes } from '@rowkey/patterns'
import { startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jones, office } from '../employees.ts'
import { staff } from './indexed-staff.ts'

describe('reads by an index', () => {
  it('R-146: find costs two point reads, and its entity can be written', async () => {
    const { employees, indexed, sent } = await staff()
    await employees.insert({ ...jones })
    await indexed.find('email', { department: 'Sales', email: 'missing' })
    sent.length = 0
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(sent).toHaveLength(2)
    if (found === undefined) throw new TypeError('no employee')
    found.age = 43
    await employees.merge(found)
    expect((await employees.get({ department: 'Sales', id: 223 })).age).toBe(43)
  })

  it('R-146: query reads the entities of a range in the order of the index', async () => {
    const { employees, indexed } = await staff()
    await employees.insert({ ...jones, id: 1, lastName: 'Jonas', email: '1@contoso.com' })
    await employees.insert({ ...jones, id: 2, lastName: 'Adams', email: '2@contoso.com' })
    await employees.insert({ ...jones, id: 3, lastName: 'Jansen', email: '3@contoso.com' })
    const found: unknown[] = []
    const where = { department: 'Sales', lastName: startsWith('J') }
    for await (const { lastName, age } of indexed.query('lastName', where)) {
      found.push([lastName, age])
    }
    expect(found).toEqual([
      ['Jansen', 42],
      ['Jonas', 42],
    ])
  })

  it('copies leaves out rows of other programs among the entries', async () => {
    const { account, employees, indexed } = await staff()
    await employees.insert({ ...jones })
    const rows = await account.table('employees').query().allowTableScan().toArray()
    const [{ rowKey = '' } = {}] = rows.filter((each) => each.rowKey.includes('~lastName.'))
    const like = rowKey.replace('000223', '000007')
    await account.table('employees').insert(new DynamicEntity('Sales', like))
    const copies = (await indexed.copies('lastName')).where({ department: 'Sales' })
    expect((await copies.toArray()).map(({ id }) => id)).toEqual([223])
    expect(await copies.count()).toBe(1)
  })

  it('R-146: find rows by a property that is stored under the name of a part of the PartitionKey', async () => {
    const { account } = office()
    const Shop = defineEntity({
      name: 'shops',
      partitionKey: key`${'region'}`,
      rowKey: key`shop_${'id'}`,
      schema: z.object({ region: z.string(), id: z.string(), area: z.string(), kind: z.string() }),
      storeAs: { area: 'region' },
    })
    const definitions = { place: { rowKey: key`${'area'}~${'kind'}~${'id'}` } }
    const shops = account.table(Shop)
    await shops.create()
    await declareIndexes(Shop, definitions).on(account).build()
    const bakery = { region: 'EU', kind: 'bakery' }
    for (const area of ['EU', 'north']) await shops.insert({ ...bakery, id: area, area })
    const query = shops.query().where(bakery)
    expect((await query.toArray()).map(({ area }) => area)).toEqual(['EU', 'north'])
    expect(query.explain().index).toBeUndefined()
    const north = query.where({ area: 'north' })
    expect(north.explain().index).toBe('place')
    expect(await north.toArray()).toMatchObject([{ area: 'north' }])
  })
})
