import { describe, expect, it } from 'vitest'
import { jones } from '../employees.ts'
import { staff } from './indexed-staff.ts'

describe('a unique index', () => {
  it('lets two rows swap their values in a batch', async () => {
    const { employees, indexed } = await staff()
    const one = await employees.insert({ ...jones })
    const two = await employees.insert({ ...jones, id: 7, email: 'two@contoso.com' })
    one.email = 'two@contoso.com'
    two.email = jones.email
    await employees.batch().merge(one).merge(two).submit()
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(found?.id).toBe(7)
  })

  it('frees the value of a row that is deleted', async () => {
    const { employees, indexed } = await staff()
    const one = await employees.insert({ ...jones })
    await employees.delete(one)
    await employees.insert({ ...jones, id: 7 })
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(found?.id).toBe(7)
  })
})
