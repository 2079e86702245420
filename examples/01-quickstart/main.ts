/**
 * The main job, end to end. Runs on the embedded service, or on the account in TABLES:
 *
 *     npm run quickstart
 *     TABLES='UseDevelopmentStorage=true' npm run quickstart
 *     TABLES='<connection string of a storage account>' npm run quickstart
 */
import { connect, ETagMismatchError, printDateTime } from 'rowkey'
import { Employee } from './entities.ts'
import { employee, marketing, sales } from './staff.ts'

let requests = 0
const account = connect(process.env.TABLES ?? 'memory:', {
  onAttempt: () => {
    requests += 1
  },
})
// A new name, so that your own tables stay untouched.
const employees = account.table(Employee, `employees${Date.now()}`)

function report(step: string, ...lines: string[]): void {
  console.log([`${step} (${requests} request${requests === 1 ? '' : 's'})`, ...lines].join('\n  '))
  requests = 0
}

await employees.create()
report('Created a table')

for (const person of marketing) await employees.insert(person)
report('Inserted Don and Jun')

const jun = await employees.get(['Marketing', '00002'])
report(
  'Read Jun by key',
  `String    ${jun.firstName} ${jun.lastName}, ${jun.email}`,
  `Int32     ${jun.age}`,
  `Int64     ${jun.badge}`,
  `Double    ${jun.rating}`,
  `Boolean   ${jun.manager}`,
  `DateTime  ${printDateTime(jun.hired)}`,
  `Guid      ${jun.accessCard}`,
  `Binary    ${Buffer.from(jun.fingerprint).toString('hex')}`,
)

for (let start = 0; start < sales.length; start += 100) {
  const batch = employees.batch()
  for (const person of sales.slice(start, start + 100)) batch.insert(person)
  await batch.submit()
}
report(`Inserted ${sales.length} in Sales, 100 to a batch`)

const seniors = employees
  .query()
  .where((e) => e.department.eq('Sales').and(e.age.ge(27)))
  .select('email', 'age')
  .take(1100)
let count = 0
let oldest = 0
for await (const { age } of seniors) {
  count += 1
  oldest = Math.max(oldest, age)
}
report(
  `Found ${count}, the oldest ${oldest}`,
  `$filter=${seniors.explain().filter}`,
  `$select=${seniors.explain().select}`,
)

const stale = await employees.get(['Marketing', '00002'])
jun.rating = 5
await employees.merge(jun)
report('Merged the changed properties of Jun, with the ETag that she was read with')

try {
  stale.rating = 1
  await employees.merge(stale)
} catch (error) {
  if (!(error instanceof ETagMismatchError)) throw error
  report('Rejected a change to an outdated copy', `${error.status} ${error.name}`)
}

const lisa = employee({
  department: 'Marketing',
  employeeId: '00003',
  firstName: 'Lisa',
  lastName: 'Miller',
  age: 29,
})
jun.manager = false
const don = await employees.get(['Marketing', '00001'])
const results = await employees.batch().insert(lisa).merge(jun).delete(don).submit()
report(`Committed ${results.length} changes in one batch: Lisa inserted, Jun merged, Don deleted`)

const team = await employees.query().where({ department: 'Marketing' }).toArray()
report('Marketing is now', ...team.map((e) => `${e.firstName} ${e.lastName}, rating ${e.rating}`))

await employees.drop()
report('Dropped the table')
await account.close()
