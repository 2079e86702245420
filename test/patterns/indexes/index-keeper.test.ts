import { key, Operation } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { EntityAlreadyExistsError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'
import { ENTRIES_OF_JONES, staff } from './indexed-staff.ts'

describe('declareIndexes', () => {
  it('R-146: stores all entries of a row in the transaction that inserts it', async () => {
    const { employees, sent, rowKeys } = await staff()
    await employees.insert({ ...jones })
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('R-146: moves the entry of a value that changes', async () => {
    const { employees, rowKeys } = await staff()
    const employee = await employees.insert({ ...jones })
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    expect(await rowKeys()).toEqual([...ENTRIES_OF_JONES.slice(0, 3), 'lastName Jonas_000223'])
  })

  it('R-146: removes the entries of a row that is deleted', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    await employees.delete({ department: 'Sales', id: 223 }, { etag: '*' })
    expect(await rowKeys()).toEqual([])
  })

  it('R-146: stores no entry of a row without a value, and removes it with the value', async () => {
    const { employees, rowKeys } = await staff()
    const employee = await employees.insert({ department: 'Sales', id: 1, firstName: 'A', age: 3 })
    expect(await rowKeys()).toEqual(['empid_000001'])
    employee.email = 'a@contoso.com'
    await employees.merge(employee)
    expect(await rowKeys()).toEqual(['email a@contoso.com', 'empid_000001'])
    delete employee.email
    await employees.replace(employee)
    expect(await rowKeys()).toEqual(['empid_000001'])
  })

  it.each([
    ['insertOrReplace', 'insertOrReplace'],
    ['insertOrMerge', 'insertOrMerge'],
    ['execute', 'execute'],
    ['batch', 'batch'],
    ['modify', 'modify'],
    ["merge by etag '*'", 'merge'],
    ["replace by etag '*'", 'replace'],
  ] as const)('R-146: %s keeps the entries of a row that it has not read', async (_, method) => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    const changed = { ...jones, lastName: 'Jonas' }
    const ways = {
      insertOrReplace: () => employees.insertOrReplace(changed),
      insertOrMerge: () => employees.insertOrMerge(changed),
      execute: () => employees.execute(Operation.replace(changed, { etag: '*' })),
      batch: () => employees.batch().merge(changed, { etag: '*' }).submit(),
      modify: () =>
        employees.modify({ department: 'Sales', id: 223 }, (employee) => {
          employee.lastName = 'Jonas'
        }),
      merge: () => employees.merge(changed, { etag: '*' }),
      replace: () => employees.replace(changed, { etag: '*' }),
    }
    await ways[method]()
    expect(await rowKeys()).toEqual([...ENTRIES_OF_JONES.slice(0, 3), 'lastName Jonas_000223'])
  })

  it('an upsert of a new row stores its entries', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insertOrReplace({ ...jones })
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('an upsert plans again when another program inserts the row first', async () => {
    const { employees, Employee, rival, between, rowKeys } = await staff()
    between(isBatch, () =>
      rival()
        .table(Employee)
        .insert({ ...jones, lastName: 'First' }),
    )
    await employees.insertOrReplace({ ...jones })
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('an upsert plans again when another program changes the row first', async () => {
    const { employees, Employee, rival, between, rowKeys } = await staff()
    await employees.insert({ ...jones })
    between(isBatch, () =>
      rival()
        .table(Employee)
        .merge({ ...jones, lastName: 'Between' }, { etag: '*' }),
    )
    await employees.insertOrReplace({ ...jones, lastName: 'Last' })
    expect(await rowKeys()).toEqual([...ENTRIES_OF_JONES.slice(0, 3), 'lastName Last_000223'])
  })

  it('an insert of an existing row fails with the error of a single insert', async () => {
    const { employees } = await staff()
    await employees.insert({ ...jones })
    const again = { ...jones, email: 'other@contoso.com' }
    await expect(employees.insert(again)).rejects.toBeInstanceOf(EntityAlreadyExistsError)
  })

  it('deleteIfExists tells whether the row existed', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    const target = { department: 'Sales', id: 223 }
    expect(await employees.deleteIfExists(target, { etag: '*' })).toBe(true)
    expect(await employees.deleteIfExists(target, { etag: '*' })).toBe(false)
    expect(await rowKeys()).toEqual([])
  })

  it('a merge that touches no index sends one request', async () => {
    const Employee = defineEmployee()
    declareIndexes(Employee, { email: { rowKey: key`${'email'}`, unique: true } })
    const { account, sent } = office()
    const employees = account.table(Employee)
    await employees.create()
    const employee = await employees.insert({ ...jones })
    sent.length = 0
    employee.age = 43
    await employees.merge(employee)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('rejects a batch that needs more than 100 operations with its entries', async () => {
    const { employees } = await staff()
    const batch = employees.batch()
    for (let id = 1; id <= 40; id++) batch.insert({ ...jones, id, email: `${id}@contoso.com` })
    await expect(batch.submit()).rejects.toMatchObject({
      code: 'InvalidBatch',
      message: expect.stringContaining('needs 160 operations'),
    })
  })
})
