/**
 * The deployment of an index on a table that has rows, and the change of its declaration: old and new programs write at the same time.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/16-indexes/main.ts
 */
import { startLocalService } from '@rowkey/local'
import { declareIndexes, type IndexDefinition } from '@rowkey/patterns'
import { connect, defineEntity, key } from 'rowkey'
import { z } from 'zod'

const { TABLES } = process.env
const service = TABLES === undefined ? await startLocalService({ port: 0 }) : undefined
const target = TABLES ?? service?.connectionString ?? ''
// A new name, so that your own tables stay untouched.
const TABLE = `employees${Date.now()}`
/** A short one, for this example. The default is 10 s. */
const lease = 500

const byName = { rowKey: key`${'lastName'}_${'id:6'}` }
const byFullName = { rowKey: key`${'lastName'}_${'firstName'}_${'id:6'}` }

/** Each program has a model and an account of its own, as each process has. */
function program(definitions: Record<string, IndexDefinition<Employee>>) {
  const Employee = defineEntity({
    name: TABLE,
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      firstName: z.string(),
      lastName: z.string(),
    }),
  })
  const account = connect(target)
  const isDeclared = Object.keys(definitions).length > 0
  const indexes = isDeclared ? declareIndexes(Employee, definitions, { lease }) : undefined
  return { account, employees: account.table(Employee), indexed: indexes?.on(account) }
}

interface Employee {
  department: string
  id: number
  firstName: string
  lastName: string
}

const employee = (id: number, firstName: string, lastName: string): Employee => ({
  department: 'Sales',
  id,
  firstName,
  lastName,
})

function show(step: string, found: unknown): void {
  console.log(`${step}: ${JSON.stringify(found)}`)
}

// The old program knows no index.
const old = program({})
await old.employees.create()
await old.employees.insert(employee(1, 'Ann', 'Jones'))

// 1. Deploy the declaration. The state is what a new program asks when it starts; queries send their filter meanwhile.
const next = program({ byName })
show('the index of the new program', await next.indexed?.state('byName'))
await next.employees.insert(employee(2, 'Jon', 'Jones'))
const joneses = { department: 'Sales', lastName: 'Jones' }
show('it finds', await next.employees.query().where(joneses).count())

// 2. An old program is still running, so the build does not make the index readable, and says why.
const build = next.indexed?.build()
setTimeout(() => void old.employees.insert(employee(3, 'Eve', 'Jones')), lease)
show('the first build ends with', await build?.catch(({ code }) => code))

// 3. The old program has ended.
await next.indexed?.build()
show('after the second build', await next.indexed?.state('byName'))
const query = next.employees.query().where(joneses)
show('a query uses the index', [query.explain().index, await query.count()])

// 4. Change the declaration: deploy both names, build the new one, drop the old one, deploy without it.
const changed = program({ byName: byFullName })
const late = changed.employees.insert(employee(4, 'Joe', 'Smith'))
show('a changed declaration of the name ends with', await late.catch(({ code }) => code))
const both = program({ byName, byFullName })
await both.employees.insert(employee(4, 'Joe', 'Smith'))
await both.indexed?.build()
await both.indexed?.drop('byName')
const last = program({ byFullName })
const sorted = await last.indexed?.query('byFullName', { department: 'Sales' }).toArray()
show(
  'in the new order',
  sorted?.map(({ id }) => id),
)
show('differences', (await last.indexed?.verify())?.found)

for (const { account } of [old, next, changed, both, last]) await account.close()
await service?.close()
