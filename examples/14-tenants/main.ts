/**
 * Several tenants in one table. `within` fixes the tenant of every call, each tenant reads its own rows with a token of its own,
 * and everything of a tenant can be deleted.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/14-tenants/main.ts
 */
import { startLocalService } from '@rowkey/local'
import { parseConnectionString } from '@rowkey/rest'
import { connect, InputError } from 'rowkey'
import { Task } from './task.ts'

const HOUR = 60 * 60_000

const { TABLES } = process.env
const local = TABLES === undefined ? await startLocalService({ port: 0 }) : undefined
const connectionString = TABLES ?? local?.connectionString ?? ''
const account = connect(connectionString)
// A new name, so that your own tables stay untouched.
const name = `tasks${Date.now()}`
const tasks = account.table(Task, name)
await tasks.create()

const acme = tasks.within({ tenant: 'acme' })
const acmeLabs = tasks.within({ tenant: 'acme-labs' })
await acme.insert({ project: 'website', id: 1, title: 'Choose a name' })
await acme.insert({ project: 'website', id: 2, title: 'Draw a logo' })
await acme.insert({ project: 'shop', id: 1, title: 'List the prices' })
await acmeLabs.insert({ project: 'website', id: 1, title: 'Stay secret' })

const titles = (list: readonly Pick<Task, 'title'>[]) => list.map(({ title }) => title).join(', ')
console.log(`acme, website: ${titles(await acme.query().where({ project: 'website' }).toArray())}`)
console.log(`acme, all: ${titles(await acme.query().toArray())}`)
console.log(`acme-labs, all: ${titles(await acmeLabs.query().toArray())}`)

try {
  tasks.within({ tenant: 'acme;website' })
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.log(`A tenant called "acme;website": ${error.code}`)
}

// What the tenant's own program does: it has no account key.
const { endpoint } = parseConnectionString(connectionString)
const reader = connect({
  endpoint: endpoint.origin + endpoint.basePath,
  credential: { sas: acme.sas({ permissions: 'r', expiry: new Date(Date.now() + HOUR) }).token },
}).table(Task, name)
const own = await reader.query().where({ tenant: 'acme' }).toArray()
console.log(`With the token of acme: ${own.length} tasks`)
try {
  await reader.get({ tenant: 'acme-labs', project: 'website', id: 1 })
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.log(`With the token of acme, a row of acme-labs: ${error.code}`)
}

const { done } = await acme.deleteAll()
console.log(`acme leaves: ${done} tasks are deleted`)
console.log(`acme-labs, all: ${titles(await acmeLabs.query().toArray())}`)

await tasks.drop()
await account.close()
await local?.close()
