import { defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareCopies } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { sales } from './managers.ts'

describe('a reference that no key can hold, which another client stored,', () => {
  async function stored() {
    const { account } = office()
    const Employee = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`empid_${'id:6'}`,
      schema: z.object({ department: z.string(), id: z.int32(), lastName: z.string() }),
    })
    const Department = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`department`,
      schema: z.object({
        department: z.string(),
        managerId: z.int32().optional(),
        managerName: z.string().optional(),
      }),
    })
    const managers = declareCopies(Employee, Department, {
      fields: { managerName: 'lastName' },
      source: ({ department, managerId: id }) =>
        id === undefined ? undefined : { department, id },
      holders: ({ department }) => [{ department }],
    })
    const [employees, departments] = [account.table(Employee), account.table(Department)]
    await employees.create()
    const values = { managerId: -5, managerName: 'Adams' }
    await account.table('staff').insert(new DynamicEntity('Sales', 'department', values))
    return { employees, departments, copies: managers.on(account) }
  }

  it('does not keep a program from writing sources', async () => {
    const { employees, departments } = await stored()
    await employees.insert({ ...sales, id: 223, lastName: 'Jones' })
    expect(await departments.get(sales)).toMatchObject({ managerId: -5, managerName: 'Adams' })
  })

  it('can be mended, with the copies of the new source', async () => {
    const { employees, departments } = await stored()
    await employees.insert({ ...sales, id: 223, lastName: 'Jones' })
    const mended = { ...sales, managerId: 223 }
    const outdated = departments.replace({ ...mended, managerName: 'Adams' }, { etag: '*' })
    await expect(outdated).rejects.toMatchObject({ code: 'InvalidCopy' })
    await departments.replace({ ...mended, managerName: 'Jones' }, { etag: '*' })
    expect((await departments.get(sales)).managerName).toBe('Jones')
  })

  it('can be removed, but not without its copies', async () => {
    const { departments } = await stored()
    const kept = departments.replace({ ...sales, managerName: 'Adams' }, { etag: '*' })
    await expect(kept).rejects.toMatchObject({ code: 'InvalidCopy' })
    await departments.replace(sales, { etag: '*' })
    expect((await departments.get(sales)).managerName).toBeUndefined()
  })

  it('is reported by a repair, which goes on', async () => {
    const { copies } = await stored()
    expect(await copies.repair()).toMatchObject({
      rows: 1,
      repaired: 0,
      findings: [{ kind: 'unreadable', row: { rowKey: 'department' } }],
    })
  })
})
