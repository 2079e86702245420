/**
 * Rows of several types in one table, and a raise for everyone with a salary. The program reads only the
 * salary, changes it and merges it; all other properties stay as they are.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/05-employees/main.ts
 */
import { connect, DynamicEntity, EntityProperty, filter } from 'rowkey'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const employees = account.table(`employees${Date.now()}`)
await employees.create()

// The RowKey starts with the type of row. One batch: both inserts succeed, or neither does.
await employees
  .batch()
  .insert(
    new DynamicEntity('Sales', 'employee_0001', {
      name: 'Ann',
      salary: EntityProperty.double(50000),
    }),
  )
  .insert(
    new DynamicEntity('Sales', 'employee_0002', {
      name: 'Bob',
      salary: EntityProperty.double(40000),
    }),
  )
  .submit()
const ceo = { salary: EntityProperty.double(90000), car: 'blue', shares: 1200n }
await employees.insert(new DynamicEntity('Sales', 'manager_0001', ceo))
await employees.insert(new DynamicEntity('Sales', 'room_0001', { seats: 12 }))

const bob = await employees.get(['Sales', 'employee_0002'])
console.log(`Point: ${bob.get('name')?.as('String')}`)

const range = employees
  .query()
  .where(
    filter`PartitionKey eq ${'Sales'} and RowKey ge ${'employee_'} and RowKey lt ${'employee`'}`,
  )
console.log(`Range: ${(await range.toArray()).map((row) => row.get('name')?.value).join(', ')}`)

// Raises salaries below 60,000 by 10 %, and others by 5 %.
const paid = employees.query().where({ partitionKey: 'Sales' }).select('salary')
let batch = employees.batch()
for await (const row of paid) {
  const salary = row.get('salary')?.as('Double')
  if (salary === undefined) continue // a room
  const raised = Math.round(salary * (salary < 60000 ? 1.1 : 1.05))
  batch.merge(row.set('salary', EntityProperty.double(raised)))
  if (batch.size < 100) continue
  await batch.submit()
  batch = employees.batch()
}
if (batch.size > 0) await batch.submit()

for await (const row of employees.query().where({ partitionKey: 'Sales' })) {
  const shown = [...row.properties].map(([name, { type, value }]) => `${name} ${value} (${type})`)
  console.log(`${row.rowKey}: ${shown.sort().join(', ')}`)
}

await employees.drop()
await account.close()
