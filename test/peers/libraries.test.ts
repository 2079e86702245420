import { startLocalService } from '@rowkey/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Base, loadOver } from './library-over.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

/** The main functions of one library: a module whose `run` returns what a caller of the library sees. */
interface Library {
  readonly program: string
}

/** Every bundle exports `run`: it gets a connection string and a table of its own. */
interface Bundle {
  run(connectionString: string, table: string): Promise<unknown>
}

const OPEN = `
  import { TableClient } from '@azure/data-tables'
  const open = async (connectionString, table) => {
    const client = TableClient.fromConnectionString(connectionString, table)
    await client.createTable()
    return client
  }`

const LIBRARIES: Readonly<Record<string, Library>> = {
  '@nestjs/azure-database': {
    program: `
      import 'reflect-metadata'
      import { NestFactory } from '@nestjs/core'
      import {
        AzureTableStorageModule, EntityDateTime, EntityDouble, EntityInt32, EntityString, getRepositoryToken,
      } from '@nestjs/azure-database'

      class Contact {}
      const column = (name, type, decorator) => {
        Reflect.metadata('design:type', type)(Contact.prototype, name)
        decorator(Contact.prototype, name)
      }
      column('name', String, EntityString())
      column('age', Number, EntityInt32())
      column('rate', Number, EntityDouble())
      column('since', Date, EntityDateTime())

      export async function run(connectionString, table) {
        process.env.AZURE_STORAGE_CONNECTION_STRING = connectionString
        const feature = AzureTableStorageModule.forFeature(Contact, { table, createTableIfNotExists: true })
        const app = await NestFactory.createApplicationContext(
          { module: class Root {}, imports: [feature] },
          { logger: false, abortOnError: false },
        )
        const contacts = app.get(getRepositoryToken(Contact), { strict: false })
        const ann = { partitionKey: 'Smith', rowKey: 'Ann', name: 'Ann', age: 30, rate: 1.5, since: new Date(7) }
        const seen = [
          await contacts.create(ann),
          await contacts.create(ann),
          await contacts.find('Smith', 'Ann'),
          await contacts.find('Smith', 'Bob'),
          await contacts.update('Smith', 'Ann', { age: 31 }),
          await contacts.update('Smith', 'Bob', { age: 31 }),
          await contacts.create({ ...ann, rowKey: 'a/b' }),
          await contacts.findAll(),
          await contacts.delete('Smith', 'Ann'),
          await contacts.delete('Smith', 'Ann').catch(({ statusCode }) => statusCode),
          await contacts.findAll(),
        ]
        await app.close()
        return seen
      }`,
  },
  '@azure/eventhubs-checkpointstore-table': {
    program: `
      ${OPEN}
      import { TableCheckpointStore } from '@azure/eventhubs-checkpointstore-table'

      const hub = { fullyQualifiedNamespace: 'hub.example', eventHubName: 'orders', consumerGroup: '$Default' }
      const place = Object.values(hub)
      export async function run(connectionString, table) {
        const store = new TableCheckpointStore(await open(connectionString, table))
        const owned = (partitionId, ownerId, etag) => ({ ...hub, partitionId, ownerId, etag })
        const claimed = await store.claimOwnership([owned('0', 'one'), owned('1', 'one')])
        const [first] = claimed
        const renewed = await store.claimOwnership([owned('0', 'two', first.etag)])
        const checkpoint = { ...hub, partitionId: '0', offset: '42', sequenceNumber: 7 }
        await store.updateCheckpoint(checkpoint)
        await store.updateCheckpoint({ ...checkpoint, offset: '43', sequenceNumber: 8 })
        return [
          claimed,
          renewed,
          // Another program has claimed it meanwhile.
          await store.claimOwnership([owned('0', 'three', first.etag)]),
          await store.claimOwnership([owned('0', 'four')]),
          await store.listOwnership(...place),
          await store.listCheckpoints(...place),
        ]
      }`,
  },
  '@auth/azure-tables-adapter': {
    program: `
      ${OPEN}
      import { TableStorageAdapter } from '@auth/azure-tables-adapter'

      export async function run(connectionString, table) {
        const adapter = TableStorageAdapter(await open(connectionString, table))
        const user = await adapter.createUser({ email: "o'brien@example.com", emailVerified: new Date(7) })
        const { id } = user
        const account = { userId: id, provider: 'github', providerAccountId: '5', type: 'oauth' }
        const session = { sessionToken: 'token', userId: id, expires: new Date(4_000_000_000_000) }
        const token = { identifier: 'mail', token: 'secret', expires: new Date(4_000_000_000_000) }
        const seen = [
          user,
          await adapter.getUser(id),
          await adapter.getUserByEmail("o'brien@example.com"),
          await adapter.getUser('missing'),
          await adapter.updateUser({ id, name: 'Pat' }),
          await adapter.linkAccount(account),
          await adapter.getUserByAccount(account),
          await adapter.createSession(session),
          await adapter.getSessionAndUser('token'),
          await adapter.updateSession({ sessionToken: 'token', expires: new Date(4_100_000_000_000) }),
          await adapter.createVerificationToken(token),
          await adapter.useVerificationToken(token),
          await adapter.useVerificationToken(token),
          await adapter.deleteUser(id),
          await adapter.getSessionAndUser('token'),
        ]
        return JSON.parse(JSON.stringify(seen).replaceAll(id, 'the id'))
      }`,
  },
  'unstorage (azure-storage-table)': {
    program: `
      ${OPEN}
      import { createStorage } from 'unstorage'
      import driver from 'unstorage/drivers/azure-storage-table'

      export async function run(connectionString, tableName) {
        await open(connectionString, tableName)
        // The driver asks for the account's name, and then uses the connection string.
        const options = { accountName: 'devstoreaccount1', connectionString, tableName, pageSize: 2 }
        const storage = createStorage({ driver: driver(options) })
        for (const n of [1, 2, 3]) await storage.setItem('user:' + n, { n, text: 'é' })
        const { mtime, etag } = await storage.getMeta('user:1')
        const seen = [
          await storage.getItem('user:1'),
          await storage.getItem('user:9'),
          [await storage.hasItem('user:1'), await storage.hasItem('user:9')],
          await storage.getKeys('user'),
          [mtime instanceof Date, typeof etag],
          await storage.removeItem('user:2'),
          await storage.getKeys(),
          await storage.clear(),
          await storage.getKeys(),
        ]
        await storage.dispose()
        return seen
      }`,
  },
}

const BASES: readonly Base[] = ['@azure/data-tables', '@rowkey/data-tables']
const SERVICES: Readonly<Record<string, () => Promise<Service>>> = {
  '@rowkey/local': () => startLocalService({ port: 0 }),
  Azurite: startAzurite,
}

/** What differs from run to run, and from port to port. */
const VARYING =
  /^(?:etag|timestamp|date|version|requestId|clientRequestId|odata\..*|lastModifiedTimeInMs)$/

function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      VARYING.test(name) ? typeof member : stable(member),
    ]),
  )
}

describe.each(Object.entries(LIBRARIES))('%s', (_library, { program }) => {
  const bundles = new Map<Base, Bundle>()
  beforeAll(async () => {
    for (const base of BASES) bundles.set(base, await loadOver<Bundle>(program, base))
  })

  describe.each(Object.entries(SERVICES))('on %s', (_service, start) => {
    let service: Service
    beforeAll(async () => {
      service = await start()
    })
    afterAll(() => service.close())

    it('gives over @rowkey/data-tables what it gives over @azure/data-tables', async () => {
      const [official, ours] = await Promise.all(
        BASES.map(async (base, index) =>
          stable(await bundles.get(base)?.run(service.connectionString, `library${index}`)),
        ),
      )
      expect(official).toBeDefined()
      expect(ours).toEqual(official)
    })
  })
})
