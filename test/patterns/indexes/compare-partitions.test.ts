import { defineEntity, key } from '@rowkey/mapper'
import { DecodeError, DynamicEntity, InputError } from '@rowkey/odata'
import { type DerivedFinding, declareIndexes, declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { grown } from './grown-staff.ts'

describe('rows of other kinds', () => {
  it('a scrub leaves out the rows of other declarations when RowKeys have no beginning', async () => {
    const { account } = office()
    const Employee = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), title: z.string() }),
    })
    declareSummaries(Employee, { titles: { rowKey: key`${'title'}` } })
    const indexes = declareIndexes(Employee, { title: { rowKey: key`${'title'}_${'id'}` } })
    const staff = account.table(Employee)
    await staff.create()
    await staff.insert({ department: 'Sales', id: '1', title: 'dev' })
    const indexed = indexes.on(account)
    expect(await indexed.verify()).toMatchObject({ rows: 1, kept: 1, found: 0 })
  })

  it('a row that the model cannot read is a finding, and the others are compared', async () => {
    const { account, indexed } = await grown(3)
    const rows = account.table('employees')
    const old = { firstName: 'Jon', mail: '1@contoso.com', age: 'old' }
    await rows.replace(new DynamicEntity('Sales', 'empid_000001', old), { etag: '*' })
    await rows.insert(new DynamicEntity('Sales', 'empid_000009', { firstName: 'A', mail: 'a/b' }))
    const findings: DerivedFinding[] = []
    const onFinding = (each: DerivedFinding) => findings.push(each)
    await expect(indexed.build({ onFinding })).rejects.toThrow('Mend or delete the rows')
    const unreadable = findings.filter(({ kind }) => kind === 'unreadable').slice(0, 3)
    expect(
      unreadable.map(({ name, row, error }) => [name, row?.rowKey, error?.constructor]),
    ).toEqual([
      ['email', 'empid_000001', DecodeError],
      ['lastName', 'empid_000001', DecodeError],
      ['email', 'empid_000009', InputError],
    ])
    expect(await indexed.state('email')).toBe('building')
    await rows.delete(['Sales', 'empid_000001'], { etag: '*' })
    await rows.delete(['Sales', 'empid_000009'], { etag: '*' })
    await indexed.build()
    expect(await indexed.state('email')).toBe('readable')
  })

  it('a repair keeps the entry of a row that became unreadable', async () => {
    const { account, indexed } = await grown(1)
    await indexed.build()
    const old = { firstName: 'Jon', mail: '1@contoso.com', age: 'old' }
    const row = new DynamicEntity('Sales', 'empid_000001', old)
    await account.table('employees').replace(row, { etag: '*' })
    expect(await indexed.repair()).toMatchObject({ kept: 2, found: 2, repaired: 0 })
    expect(await indexed.verify()).toMatchObject({ kept: 2, found: 2 })
  })
})
