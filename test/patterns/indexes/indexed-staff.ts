import { key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { defineEmployee, office } from '../employees.ts'

/** The employees with an index of each kind, on an empty table whose indexes are built. */
export async function staff() {
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`${'email'}`, unique: true },
    lastName: { rowKey: key`${'lastName'}_${'id:6'}`, project: ['firstName'] },
    adult: { rowKey: key`${'age:8'}_${'id:6'}`, where: ({ age = 0 }) => age >= 18 },
  })
  const opened = office()
  const employees = opened.account.table(Employee)
  const indexed = indexes.on(opened.account)
  await employees.create()
  await indexed.state('email')
  const all = opened.account.table('employees')
  const rowKeys = async () => {
    const rows = await all.query().where({ partitionKey: 'Sales' }).toArray()
    return rows.map(({ rowKey }) => shortened(rowKey)).sort()
  }
  opened.sent.length = 0
  return { ...opened, opened, Employee, indexes, employees, indexed, all, rowKeys }
}

/** Shows a RowKey without its mark and its fingerprint: `email jonesj@contoso.com`. */
function shortened(rowKey: string): string {
  return rowKey.replace(/^~rk~ix~empid_~(\w+)\.[0-9a-f]{8}~/, '$1 ')
}

/** The RowKeys of Jones and of its entries. */
export const ENTRIES_OF_JONES = [
  'adult 00000042_000223',
  'email jonesj@contoso.com',
  'empid_000223',
  'lastName Jones_000223',
]
