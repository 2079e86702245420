import { key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'
import { staff } from './indexed-staff.ts'

describe('reads by an index', () => {
  it('R-146: copies reads the projection alone, by one request', async () => {
    const { employees, indexed, sent } = await staff()
    await employees.insert({ ...jones })
    const copies = await indexed.copies('lastName')
    sent.length = 0
    const rows = await copies.where({ department: 'Sales', lastName: 'Jones' }).toArray()
    expect(rows).toEqual([
      expect.objectContaining({
        department: 'Sales',
        id: 223,
        lastName: 'Jones',
        firstName: 'Jon',
      }),
    ])
    expect(rows[0]?.age).toBeUndefined()
    expect(sent).toHaveLength(1)
  })

  it('deleteAll of copies is rejected, and the index keeps its entries', async () => {
    const { employees, indexed } = await staff()
    await employees.insert({ ...jones })
    const copies = (await indexed.copies('lastName')).where({ department: 'Sales' })
    await expect(copies.deleteAll()).rejects.toThrow('Copies of index lastName')
    expect(await copies.count()).toBe(1)
  })

  it('copies has a projected property that the key of the entry shows as its hash', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    const lastName = {
      rowKey: key`${'lastName:hash'}_${'id:6'}`,
      project: ['lastName'],
    } as const
    const indexed = declareIndexes(Employee, { lastName }).on(account)
    await account.table(Employee).create()
    await indexed.build()
    await account.table(Employee).insert(jones)
    const copies = await indexed.copies('lastName')
    const query = copies.where({ department: 'Sales', lastName: 'Jones' })
    expect(await query.toArray()).toMatchObject([{ id: 223, lastName: 'Jones' }])
  })

  it('a changed copy is stored with its row', async () => {
    const { employees, indexed } = await staff()
    const employee = await employees.insert({ ...jones })
    employee.firstName = 'Jonathan'
    await employees.merge(employee)
    const [copy] = await (await indexed.copies('lastName'))
      .where({ department: 'Sales', lastName: 'Jones' })
      .toArray()
    expect(copy?.firstName).toBe('Jonathan')
  })
})
