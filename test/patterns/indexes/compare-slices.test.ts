import { key } from '@rowkey/mapper'
import { type DerivedFinding, declareIndexes } from '@rowkey/patterns'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'
import { grown } from './grown-staff.ts'

describe('verify and repair', () => {
  it('take no value from a row that got it between two pages of the scan', async () => {
    const opened = office()
    const Employee = defineEmployee()
    const mail = { rowKey: key`${'email'}`, unique: true } as const
    const indexes = declareIndexes(Employee, { mail })
    const indexed = indexes.on(opened.account)
    const employees = opened.account.table(Employee)
    await employees.create()
    await indexed.state('mail')
    await employees.bulk().insert([1, 3, 4, 5].map((id) => ({ ...jones, id, email: `${id}@x` })))
    const old = opened.account.table(defineEmployee())
    await old.merge({ ...jones, id: 1, email: 'taken@x' }, { etag: '*' })
    let pages = 0
    // The scan reads two rows in a page, so that the second page begins after the row 3.
    const inSmallPages = opened.over((service) => async (request, limits) => {
      if (!request.query.includes('empid_')) return service(request, limits)
      if (++pages === 2) await employees.insert({ ...jones, id: 2, email: 'taken@x' })
      return service({ ...request, query: `${request.query}&$top=2` }, limits)
    })
    const found: DerivedFinding[] = []
    await indexes.on(inSmallPages).repair({ onFinding: (finding) => found.push(finding) })
    const duplicates = found.filter(({ kind }) => kind === 'duplicate')
    expect(duplicates.map(({ row }) => row?.rowKey)).toEqual(['empid_000001'])
    expect((await indexed.find('mail', { department: 'Sales', email: 'taken@x' }))?.id).toBe(2)
  })

  it('count no difference of a row that a writer changes during the second look', async () => {
    const { indexed, employees, old, between } = await grown(1)
    await indexed.build()
    await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
    const isRow = (request: HttpRequest): boolean =>
      request.method === 'GET' && JSON.stringify(request).includes('empid_000009')
    between(isRow, () =>
      employees.modify({ department: 'Sales', id: 9 }, (employee) => {
        employee.email = 'nine@contoso.com'
        employee.lastName = 'Nine'
      }),
    )
    expect(await indexed.verify()).toMatchObject({ rows: 2, found: 0 })
  })
})
