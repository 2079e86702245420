import { key, ModelError } from '@rowkey/mapper'
import { declareIdLists } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'
import { countDeaths } from '../mortal-programs.ts'

/** The employees of one program. A model of its own, because lists are declared on models. */
function program() {
  const Employee = defineEmployee()
  const lists = declareIdLists(Employee, { lastName: { rowKey: key`lastname_${'lastName'}` } })
  return { Employee, lists }
}

const sales = { department: 'Sales' }
const named = (lastName: string) => ({ ...sales, lastName })
const employee = (id: number, lastName?: string) => ({
  ...sales,
  id,
  firstName: `F${id}`,
  ...(lastName !== undefined && { lastName }),
})

async function opened() {
  const all = office()
  const { Employee, lists } = program()
  const employees = all.account.table(Employee)
  await employees.create()
  all.sent.length = 0
  return { ...all, Employee, employees, listed: lists.on(all.account) }
}

async function idsOf<Found extends { readonly id: number }>(found: AsyncIterable<Found>) {
  const ids: number[] = []
  for await (const { id } of found) ids.push(id)
  return ids
}

describe('declareIdLists', () => {
  it('R-149: one row lists all entities with a value, in the transaction of their writes', async () => {
    const { employees, account, sent, listed } = await opened()
    await employees.insert({ ...jones })
    await employees.insert(employee(152, 'Jones'))
    expect(sent.filter(isBatch)).toHaveLength(2)
    const row = await account.table('employees').get(['Sales', 'lastname_Jones_000'])
    expect(row.get('RowKeys')?.value).toBe('["empid_000223","empid_000152"]')
    expect(await listed.rowKeys('lastName', named('Jones'))).toEqual([
      'empid_000223',
      'empid_000152',
    ])
  })

  it('R-149: a lookup reads the list, then the entities by parallel point reads', async () => {
    const { employees, sent, listed } = await opened()
    for (const id of [3, 1, 2]) await employees.insert(employee(id, 'Jones'))
    await employees.insert(employee(4, 'Smith'))
    sent.length = 0
    expect(await idsOf(listed.query('lastName', named('Jones')))).toEqual([3, 1, 2])
    expect(sent).toHaveLength(4)
    expect(await idsOf(listed.query('lastName', named('Nobel')))).toEqual([])
  })

  it('R-149: a changed value touches three rows in one transaction', async () => {
    const { employees, sent, listed, account } = await opened()
    const one = await employees.insert(employee(1, 'Jones'))
    await employees.insert(employee(2, 'Jones'))
    sent.length = 0
    one.lastName = 'Smith'
    await employees.merge(one)
    const [batch] = sent.filter(isBatch)
    expect(String(batch?.body).match(/^(?:PUT|POST|PATCH) /gm)).toHaveLength(3)
    expect(await listed.rowKeys('lastName', named('Jones'))).toEqual(['empid_000002'])
    expect(await listed.rowKeys('lastName', named('Smith'))).toEqual(['empid_000001'])
    await employees.delete(one)
    expect(await account.table('employees').find(['Sales', 'lastname_Smith_000'])).toBeUndefined()
  })

  it.each(['batch', 'bulk', 'upserts'] as const)('R-149: %s keep the lists', async (way) => {
    const { employees, listed } = await opened()
    const all = Array.from({ length: 30 }, (_, id) => employee(id, id % 2 ? 'Jones' : 'Smith'))
    const writing = {
      batch: async () => {
        const batch = employees.batch()
        for (const each of all) batch.insert(each)
        await batch.submit()
      },
      bulk: async () => void (await employees.bulk().insert(all)),
      upserts: async () => {
        for (const each of [...all, ...all]) await employees.insertOrReplace(each)
      },
    }[way]
    await writing()
    expect(await listed.rowKeys('lastName', named('Jones'))).toHaveLength(15)
    expect(await listed.verify(sales)).toEqual([])
  })

  it('R-149: a list is split before a property reaches 64 KiB', async () => {
    const { employees, account, sent, listed, Employee } = await opened()
    const all = Array.from({ length: 2_100 }, (_, id) => employee(id, 'Jones'))
    await employees.bulk().insert(all)
    const rows = account.table('employees').query().where({ partitionKey: 'Sales' })
    const stored = (await rows.toArray()).filter(({ rowKey }) => rowKey.startsWith('lastname_'))
    expect(stored.map(({ rowKey }) => rowKey)).toEqual(['lastname_Jones_000', 'lastname_Jones_001'])
    for (const row of stored) {
      expect(String(row.get('RowKeys')?.value).length).toBeLessThanOrEqual(30_000)
    }
    sent.length = 0
    expect(await listed.rowKeys('lastName', named('Jones'))).toHaveLength(2_100)
    expect(sent).toHaveLength(1)
    await employees.bulk().delete(
      all.slice(0, 1_700).map(({ id }) => ({ ...sales, id })),
      { etag: '*' },
    )
    expect(await listed.rowKeys('lastName', named('Jones'))).toHaveLength(400)
    expect(await listed.verify(sales)).toEqual([])
    expect(Employee.title).toBe('employees')
  })

  it('a list of a longer value is not taken for a part of another', async () => {
    const { employees, listed } = await opened()
    await employees.insert(employee(1, 'Jones'))
    await employees.insert(employee(2, 'Jones_000'))
    expect(await listed.rowKeys('lastName', named('Jones'))).toEqual(['empid_000001'])
    expect(await listed.rowKeys('lastName', named('Jones_000'))).toEqual(['empid_000002'])
    expect(await listed.verify(sales)).toEqual([])
  })

  it('a write that changes no listed value sends one request', async () => {
    const { employees, sent } = await opened()
    const one = await employees.insert(employee(1, 'Jones'))
    sent.length = 0
    one.age = 50
    await employees.merge(one)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
    expect(await employees.query().where(sales).count()).toBe(1)
  })

  it('R-149: overlapping writers lose no id', async () => {
    const { rival, listed } = await opened()
    const programs = Array.from({ length: 6 }, () => rival().table(program().Employee))
    await Promise.all(programs.map((each, id) => each.insert(employee(id, 'Jones'))))
    expect(await listed.rowKeys('lastName', named('Jones'))).toHaveLength(6)
  })

  it.each(['before', 'after'] as const)(
    'R-149: whichever request a program dies %s, entities and lists agree',
    async (dies) => {
      const deaths = await countDeaths(dies, async ({ safe, mortal }) => {
        const { Employee, lists } = program()
        await safe.table(Employee).create()
        await safe.table(Employee).insert(employee(1, 'Jones'))
        return {
          write: () =>
            mortal.table(Employee).modify(employee(1), (one) => {
              one.lastName = 'Smith'
            }),
          check: async () => expect(await lists.on(safe).verify(sales)).toEqual([]),
        }
      })
      // The entity, two lists and the transaction.
      expect(deaths).toBeGreaterThanOrEqual(4)
    },
  )
})

describe('verify and rebuild', () => {
  it('R-149: find and mend what programs without the declaration wrote', async () => {
    const { employees, account, listed } = await opened()
    await employees.insert(employee(1, 'Jones'))
    const rows = account.table('employees')
    const row = await rows.get(['Sales', 'empid_000001'])
    await rows.merge(row.set('lastName', 'Smith'))
    const stale = { idList: 'lastName', kind: 'stale', repaired: false }
    const expected = [
      { ...stale, list: 'lastname_Jones', missing: [], dangling: ['empid_000001'] },
      { ...stale, list: 'lastname_Smith', missing: ['empid_000001'], dangling: [] },
    ]
    expect(await listed.verify(sales)).toEqual(expected)
    expect(await idsOf(listed.query('lastName', named('Jones')))).toEqual([])
    const repaired = expected.map((each) => ({ ...each, repaired: true }))
    expect(await listed.rebuild(sales)).toEqual(repaired)
    expect(await listed.verify(sales)).toEqual([])
    expect(await idsOf(listed.query('lastName', named('Smith')))).toEqual([1])
  })

  it('rebuild adds no entity that another program deletes meanwhile', async () => {
    const { account, listed, between, rival } = await opened()
    const row = { partitionKey: 'Sales', rowKey: 'empid_000001', firstName: 'A', lastName: 'Jones' }
    await account.table('employees').insert(row)
    const others = rival().table(program().Employee)
    between(isBatch, () => others.delete(['Sales', 'empid_000001'], { etag: '*' }))
    await listed.rebuild(sales)
    expect(await listed.rowKeys('lastName', named('Jones'))).toEqual([])
    expect(await listed.verify(sales)).toEqual([])
  })

  it('rebuild starts again when a writer was in between', async () => {
    const { account, listed, between, rival } = await opened()
    const row = { partitionKey: 'Sales', rowKey: 'empid_000001', firstName: 'A', lastName: 'Jones' }
    await account.table('employees').insert(row)
    between(isBatch, () => rival().table(program().Employee).insert(employee(2, 'Jones')))
    await listed.rebuild(sales)
    expect(await listed.rowKeys('lastName', named('Jones'))).toHaveLength(2)
    expect(await listed.verify(sales)).toEqual([])
  })
})

describe('declareIdLists rejects', () => {
  it('keys that could be those of entities, unknown properties, lists and missing values', async () => {
    const declare = (rowKey: ReturnType<typeof key>) =>
      declareIdLists(defineEmployee(), { one: { rowKey } })
    expect(() => declare(key`empid_${'lastName'}`)).toThrow(ModelError)
    expect(() => declare(key`${'lastName'}`)).toThrow(/fixed beginning/)
    expect(() => declare(key`missing_${'missing'}`)).toThrow(/not a stored property/)
    const { listed } = await opened()
    const invalid = { code: 'InvalidPatternOption' }
    await expect(listed.rowKeys('other' as never, sales)).rejects.toMatchObject(invalid)
    await expect(listed.rowKeys('lastName', sales)).rejects.toMatchObject(invalid)
  })
})
