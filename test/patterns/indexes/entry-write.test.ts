import { UniqueValueError } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { jones } from '../employees.ts'
import { ENTRIES_OF_JONES, staff } from './indexed-staff.ts'

describe('a bulk write', () => {
  it('R-146: stores the entries of all rows, and fails only the row whose value is taken', async () => {
    const { employees, indexed } = await staff()
    const people = Array.from({ length: 60 }, (_, id) => ({
      ...jones,
      id,
      email: `${id === 41 ? 7 : id}@contoso.com`,
    }))
    const writing = employees.bulk().insert(people)
    await expect(writing).rejects.toMatchObject({ summary: { done: 59, failed: 1 } })
    expect(await indexed.verify()).toMatchObject({ rows: 59, found: 0 })
  })
})

describe('a unique index', () => {
  it('R-146: rejects a value that another row has, and names property and owner', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    const error = await employees.insert({ ...jones, id: 7 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UniqueValueError)
    expect(error).toMatchObject({
      code: 'UniqueValueTaken',
      mayHaveApplied: false,
      index: 'email',
      properties: ['email'],
      owner: { partitionKey: 'Sales', rowKey: 'empid_000223' },
    })
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('rejects a merge to a value that another row has', async () => {
    const { employees } = await staff()
    await employees.insert({ ...jones })
    const other = await employees.insert({ ...jones, id: 7, email: 'other@contoso.com' })
    other.email = jones.email
    await expect(employees.merge(other)).rejects.toBeInstanceOf(UniqueValueError)
  })

  it('rejects two rows with one value in a batch', async () => {
    const { employees, rowKeys } = await staff()
    const batch = employees
      .batch()
      .insert({ ...jones })
      .insert({ ...jones, id: 7 })
    await expect(batch.submit()).rejects.toBeInstanceOf(UniqueValueError)
    expect(await rowKeys()).toEqual([])
  })

  it('takes over a reservation that a program without the index left behind', async () => {
    const { employees, all, indexed } = await staff()
    await employees.insert({ ...jones })
    await all.delete(['Sales', 'empid_000223'], { etag: '*' })
    await employees.insert({ ...jones, id: 7 })
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(found?.id).toBe(7)
  })

  it('never removes a reservation that another row took over', async () => {
    const { employees, all, rowKeys } = await staff()
    const one = await employees.insert({ ...jones })
    const rows = await all.query().where({ partitionKey: 'Sales' }).toArray()
    const reservation = rows.find(({ rowKey }) => rowKey.includes('~email.'))
    reservation?.set('IndexedRowKey', 'empid_000007')
    if (reservation !== undefined) await all.replace(reservation)
    one.email = 'new@contoso.com'
    await employees.merge(one)
    expect(await rowKeys()).toContain('email jonesj@contoso.com')
  })
})
