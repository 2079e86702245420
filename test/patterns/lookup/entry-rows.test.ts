import { describe, expect, it } from 'vitest'
import { sales, staff } from '../indexes/queried-staff.ts'

describe('a query with an equality on the properties of an index', () => {
  it('gives selected rows only the selected properties, and their ETags', async () => {
    const { employees, plain } = await staff()
    const where = { ...sales, lastName: 'Jones' }
    const [row] = await employees.query().where(where).select('age').toArray()
    expect(row).toEqual((await plain.query().where(where).select('age').toArray())[0])
    await employees.merge(Object.assign(row ?? {}, { age: 99 }))
    expect((await employees.get({ ...sales, id: 3 })).age).toBe(99)
  })

  it('never shows a row by an entry that is stale or has no row', async () => {
    const { employees, plain } = await staff()
    await plain.delete({ ...sales, id: 3 }, { etag: '*' })
    await plain.modify({ ...sales, id: 6 }, (employee) => {
      employee.lastName = 'Moved'
      employee.email = 'moved@x'
    })
    const found = await employees
      .query()
      .where({ ...sales, lastName: 'Jones' })
      .toArray()
    expect(found.map(({ id }) => id)).toEqual([9, 12])
    expect(
      await employees
        .query()
        .where({ ...sales, email: '6@x' })
        .count(),
    ).toBe(0)
  })
})
