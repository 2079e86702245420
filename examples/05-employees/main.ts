/**
 * Employees and their departments in one table: lookups, ranges, a batch of two inserts, and a raise for everyone,
 * whatever type of row they have. The raise reads only the salary and merges only the salary.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/05-employees/main.ts
 */
import { between, connect, DynamicEntity, EntityProperty } from 'rowkey'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const employees = account.table(`employees${Date.now()}`)
await employees.create()

const employee = (
  department: string,
  id: string,
  FirstName: string,
  LastName: string,
  Age: number,
) => new DynamicEntity(department, id, { FirstName, LastName, Age })

// One batch: both inserts succeed, or neither does.
await employees
  .batch()
  .insert(employee('Marketing', '00001', 'Don', 'Hall', 34).set('Email', 'donh@contoso.com'))
  .insert(employee('Marketing', '00002', 'Jun', 'Cao', 47).set('Email', 'junc@contoso.com'))
  .submit()
const marketing = { DepartmentName: 'Marketing', EmployeeCount: 153 }
await employees.insert(new DynamicEntity('Marketing', 'Department', marketing))
const ken = employee('Sales', '00010', 'Ken', 'Kwok', 23).set('Email', 'kenk@contoso.com')
await employees.insert(ken)

const don = await employees.get(['Marketing', '00001'])
console.log(`Point: ${don.get('FirstName')?.value} ${don.get('LastName')?.value}`)

const range = employees
  .query()
  .where({ partitionKey: 'Marketing', rowKey: between('00000', '99999') })
console.log(
  `Range: ${(await range.toArray()).map((row) => row.get('FirstName')?.value).join(', ')}`,
)

// The state that they work in is the PartitionKey. Developers and contractors have other properties.
const salaried = (id: string, type: string, Salary: number) =>
  new DynamicEntity('Washington', id, { type, Salary: EntityProperty.double(Salary) })
await employees.insert(salaried('01', 'developer', 40_000).set('Language', 'Java'))
await employees.insert(salaried('02', 'secretary', 50_000))
await employees.insert(salaried('03', 'contractor', 99_000).set('Hours', 1200n))
await employees.insert(salaried('04', 'manager', 100_000))

/** 10 % below 50,000, 5 % below 100,000, and nothing above. */
function raised(salary: number): number {
  if (salary < 50_000) return salary * 1.1
  return salary < 100_000 ? salary * 1.05 : salary
}

const paid = employees.query().where({ partitionKey: 'Washington' }).select('Salary')
let batch = employees.batch()
for await (const row of paid) {
  const salary = row.get('Salary')?.as('Double')
  if (salary === undefined) throw new TypeError('Entity does not contain salary!')
  batch.merge(row.set('Salary', EntityProperty.double(raised(salary))))
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
