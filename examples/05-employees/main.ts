/**
 * Rows of several types in one table, and a raise for everyone. The program reads only the salary, changes it
 * and merges it; all other properties stay as they are.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/05-employees/main.ts
 */
import { connect, DynamicEntity, EntityProperty, filter } from 'rowkey'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const employees = account.table(`employees${Date.now()}`)
await employees.create()

// The RowKey starts with the type of row. One batch: both inserts succeed, or neither does.
const employee = (rowKey: string, name: string, salary: number): DynamicEntity =>
  new DynamicEntity('Washington', rowKey, { name, salary: EntityProperty.double(salary) })

await employees
  .batch()
  .insert(employee('employee_0001', 'Ann', 50_000))
  .insert(employee('employee_0002', 'Bob', 40_000))
  .submit()
await employees.insert(
  employee('manager_0001', 'Eve', 99_999).set('car', 'blue').set('shares', 1200n),
)
await employees.insert(employee('manager_0002', 'Zoe', 100_000))

const bob = await employees.get(['Washington', 'employee_0002'])
console.log(`Point: ${bob.get('name')?.as('String')}`)

const range = employees
  .query()
  .where(
    filter`PartitionKey eq ${'Washington'} and RowKey ge ${'employee_'} and RowKey lt ${'employee`'}`,
  )
console.log(`Range: ${(await range.toArray()).map((row) => row.get('name')?.value).join(', ')}`)

/** 10 % below 50,000, 5 % below 100,000, and nothing above. */
function raised(salary: number): number {
  if (salary < 50_000) return Math.round(salary * 1.1)
  return salary < 100_000 ? Math.round(salary * 1.05) : salary
}

const paid = employees.query().where({ partitionKey: 'Washington' }).select('salary')
let batch = employees.batch()
for await (const row of paid) {
  const salary = row.get('salary')?.as('Double')
  if (salary === undefined) throw new TypeError(`${row.rowKey} has no salary`)
  batch.merge(row.set('salary', EntityProperty.double(raised(salary))))
  if (batch.size < 100) continue
  await batch.submit()
  batch = employees.batch()
}
if (batch.size > 0) await batch.submit()

for await (const row of employees.query().where({ partitionKey: 'Washington' })) {
  const shown = [...row.properties].map(([name, { type, value }]) => `${name} ${value} (${type})`)
  console.log(`${row.rowKey}: ${shown.sort().join(', ')}`)
}

await employees.drop()
await account.close()
