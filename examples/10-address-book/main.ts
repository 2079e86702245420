/**
 * An address book for many customers in one table. A producer gives each client a SAS for the customer's own
 * entries, and a collector a SAS that can be revoked; both then use the table without the server.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/10-address-book/main.ts
 */
import { startLocalService } from '@rowkey/local'
import { memoryQueue } from '@rowkey/patterns'
import { parseConnectionString } from '@rowkey/rest'
import { connect, InputError } from 'rowkey'
import { Client } from './client.ts'
import { Collector } from './collector.ts'
import { Contact } from './contact.ts'
import { SasProducer } from './sas-producer.ts'

const { TABLES } = process.env
const local = TABLES === undefined ? await startLocalService({ port: 0 }) : undefined
const connectionString = TABLES ?? local?.connectionString ?? ''
const account = connect(connectionString)
// A new name, so that your own tables stay untouched.
const name = `addressbook${Date.now()}`
const addressBook = account.table(Contact, name)
await addressBook.create()

const { endpoint } = parseConnectionString(connectionString)
const url = endpoint.origin + endpoint.basePath
const producer = new SasProducer(addressBook)

const david = new Client(producer, url, name, 'davidhamilton')
await david.upsert('Harp,Walter', {
  address: '1345 Fictitious St, St Buffalo, NY 98052',
  phoneNumber: '425-555-0101',
})
await david.upsert('Foster,Jonathan', { email: 'Jonathan@fourthcoffee.com' })
await david.upsert('Miller,Lisa', { phoneNumber: '425-555-2141' })
await david.upsert('Harp,Walter', { email: 'Walter@contoso.com' })

const walter = await david.find('Harp,Walter')
console.log(`Walter: ${walter?.email}, ${walter?.phoneNumber}, ${walter?.address}`)
console.log(`Jonathan: ${(await david.find('Foster,Jonathan'))?.email}`)

// The queue of customers who left; a program of several processes would use `tableQueue` or Azure's queues.
const leaving = memoryQueue('gcqueue')
const collector = new Collector(url, name, await producer.tokenForCollector(), leaving)
await leaving.send('davidhamilton')
console.log(
  `The collector: ${await collector.collectNext()}; then ${await collector.collectNext()}`,
)
console.log(`Jonathan: ${await david.find('Foster,Jonathan')}`)

await producer.revokeCollector()
await leaving.send('davidhamilton')
try {
  await collector.collectNext()
} catch (error) {
  if (!(error instanceof Error)) throw error
  const { name: reason } = error.cause instanceof Error ? error.cause : error
  console.log(`After the policy was revoked: ${reason}`)
}

// The token itself says what it covers, so nothing is sent.
try {
  const token = producer.tokenForClient('davidhamilton')
  const reader = connect({ endpoint: url, credential: { sas: token.token } }).table(Contact, name)
  await reader.find(['lisamiller', 'Harp,Walter'])
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.log(`Another customer's entry: ${error.code}`)
}

await addressBook.drop()
await account.close()
await local?.close()
