/**
 * Several tenants in one table. Each call names its tenant, each tenant reads its own rows with a token of its own, and
 * everything of a tenant can be deleted.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/14-tenants/main.ts
 */
import { startLocalService } from '@rowkey/local'
import { parseConnectionString } from '@rowkey/rest'
import { connect, InputError } from 'rowkey'
import { Task } from './task.ts'
import { TenantTasks } from './tenant-tasks.ts'

const { TABLES } = process.env
const local = TABLES === undefined ? await startLocalService({ port: 0 }) : undefined
const connectionString = TABLES ?? local?.connectionString ?? ''
const account = connect(connectionString)
// A new name, so that your own tables stay untouched.
const name = `tasks${Date.now()}`
const tasks = account.table(Task, name)
await tasks.create()

const acme = new TenantTasks(tasks, 'acme')
const acmeLabs = new TenantTasks(tasks, 'acme-labs')
await acme.add('website', 1, 'Choose a name')
await acme.add('website', 2, 'Draw a logo')
await acme.add('shop', 1, 'List the prices')
await acmeLabs.add('website', 1, 'Stay secret')

const titles = (list: readonly Task[]) => list.map(({ title }) => title).join(', ')
console.log(`acme, website: ${titles(await acme.list('website'))}`)
console.log(`acme, all: ${titles(await acme.list())}`)
console.log(`acme-labs, all: ${titles(await acmeLabs.list())}`)

try {
  await new TenantTasks(tasks, 'acme;website').list()
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.log(`A tenant called "acme;website": ${error.code}`)
}

// What the tenant's own program does: it has no account key.
const { endpoint } = parseConnectionString(connectionString)
const reader = connect({
  endpoint: endpoint.origin + endpoint.basePath,
  credential: { sas: acme.readToken() },
}).table(Task, name)
const own = await reader.query().where({ tenant: 'acme' }).toArray()
console.log(`With the token of acme: ${own.length} tasks`)
try {
  await reader.get({ tenant: 'acme-labs', project: 'website', id: 1 })
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.log(`With the token of acme, a row of acme-labs: ${error.code}`)
}

console.log(`acme leaves: ${await acme.remove()} tasks are deleted`)
console.log(`acme-labs, all: ${titles(await acmeLabs.list())}`)

await tasks.drop()
await account.close()
await local?.close()
