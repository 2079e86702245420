import { randomBytes } from 'node:crypto'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Entity from '@rowkey/azure-entities'
import {
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  SasProviderCredential,
  SharedKeyCredential,
  tableSas,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { embeddedTables } from '../tables.ts'

const { keys, types } = Entity
const plain = {
  version: 1,
  partitionKey: keys.StringKey('id'),
  rowKey: keys.ConstantKey('x'),
  properties: { id: types.String },
}
const Item = Entity.configure(plain)
const credentials = { accountId: 'contoso', accessKey: 'AAAA' }
const invalidSetup = expect.objectContaining({ code: 'InvalidSetup' })

describe('setup', () => {
  it('R-128: needs a signingKey when a version signs', () => {
    const Signed = Entity.configure({ ...plain, signEntities: true })
    expect(() => Signed.setup({ tableName: 'items', credentials })).toThrow(invalidSetup)
  })

  it.each([
    undefined,
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    'CNcj2aOozdo7Pn+HEkAIixwninIwKnbYc6JPS9mNxZ!=',
  ])('R-126: needs a cryptoKey of 32 bytes when a version encrypts', (cryptoKey) => {
    const Secret = Entity.configure({
      ...plain,
      properties: { id: types.String, secret: types.EncryptedText },
    })
    expect(() => Secret.setup({ tableName: 'items', credentials, cryptoKey })).toThrow(invalidSetup)
  })
})

it.each(['base64', 'base64url'] as const)(
  'R-126: takes a cryptoKey in %s, with a line break or without, as that library does',
  async (encoding) => {
    const { service } = embeddedTables()
    const secret = Entity.configure({
      ...plain,
      properties: { id: types.String, secret: types.EncryptedText },
    })
    const cryptoKey = Buffer.alloc(32, 0xfb)
    const setup = { tableName: 'items', service }
    const Items = secret.setup({ ...setup, cryptoKey: cryptoKey.toString('base64') })
    await Items.ensureTable()
    await Items.create({ id: 'a', secret: 'hidden' })
    const Others = secret.setup({ ...setup, cryptoKey: `${cryptoKey.toString(encoding)}\n` })
    expect((await Others.load({ id: 'a' })).secret).toBe('hidden')
  },
)

describe('context', () => {
  const WithContext = Entity.configure({ ...plain, context: ['config', 'maxCount'] })

  it('R-130: gives values to every entity', async () => {
    const { service } = embeddedTables()
    const Items = WithContext.setup({
      tableName: 'items',
      service,
      context: { config: 'mine', maxCount: 10 },
    })
    await Items.ensureTable()
    expect(await Items.create({ id: 'a' })).toMatchObject({ config: 'mine', maxCount: 10 })
  })

  it('R-130: must be complete', () => {
    const context = { config: 'mine' }
    expect(() => WithContext.setup({ tableName: 'items', credentials, context })).toThrow(
      invalidSetup,
    )
  })

  it('R-130: is declared anew by each version', () => {
    const Next = WithContext.configure({
      version: 2,
      properties: plain.properties,
      context: ['maxCount'],
      migrate: (item) => item as { id: string },
    })
    const options = { tableName: 'items', credentials, context: { maxCount: 11 } }
    expect(Next.setup(options).prototype).toMatchObject({ maxCount: 11 })
  })
})

describe('inMemory', () => {
  it('R-132: shares its tables between classes, by name', async () => {
    const Items = Item.setup({ tableName: 'shared', credentials: 'inMemory' })
    const Same = Item.setup({ account: 'inMemory', table: 'shared', credentials: null })
    const Others = Item.setup({ tableName: 'others', credentials: 'inMemory' })
    await Promise.all([Items.ensureTable(), Others.ensureTable()])
    await Items.create({ id: 'a' })
    expect((await Same.load({ id: 'a' })).id).toBe('a')
    expect(await Others.load({ id: 'a' }, true)).toBeNull()
    await Same.removeTable()
    await expect(Items.load({ id: 'a' })).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('a shared access signature', () => {
  it('R-134: has a table already, so that ensureTable sends nothing', async () => {
    const { local, service } = embeddedTables()
    const Items = Item.setup({ tableName: 'items', service })
    await Items.ensureTable()
    const sas = tableSas({
      credential: new SharedKeyCredential({ account: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }),
      table: 'items',
      permissions: 'raud',
      expiry: new Date(Date.now() + 3_600_000),
      protocol: 'https,http',
    })
    const { transport } = local
    const credential = new SasProviderCredential({ provide: () => sas })
    const shared = tableService({ endpoint: service.endpoint, credential, transport })
    const Shared = Item.setup({ tableName: 'items', service: shared })
    const before = local.requests.count
    await Shared.ensureTable()
    expect(local.requests.count).toBe(before)
    await Shared.create({ id: 'a' })
    expect((await Items.load({ id: 'a' })).id).toBe('a')
  })
})

describe('an agent', () => {
  it('R-131: carries the requests', async () => {
    const { local } = embeddedTables()
    const { connectionString } = await local.listen({ port: 0 })
    const sockets: unknown[] = []
    class CountingAgent extends Agent {
      override createConnection(...given: Parameters<Agent['createConnection']>) {
        sockets.push(given[0])
        return super.createConnection(...given)
      }
    }
    const agent = new CountingAgent({ keepAlive: true, maxSockets: 1 })
    const credentials = { connectionString }
    const Items = Item.setup({ tableName: 'items', credentials, agent })
    await Items.ensureTable()
    await Items.create({ id: 'a/b é' })
    expect((await Items.load({ id: 'a/b é' })).id).toBe('a/b é')
    await Items.remove({ id: 'a/b é' })
    await expect(Items.load({ id: 'a/b é' })).rejects.toMatchObject({ statusCode: 404 })
    expect(sockets).toHaveLength(1)
    agent.destroy()
    await local.close()
  })

  longTest('reports a server that cuts the connection', async () => {
    const server = createServer((request) => request.socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const endpoint = `TableEndpoint=http://127.0.0.1:${port}/devstoreaccount1`
    const account = `AccountName=devstoreaccount1;AccountKey=${Buffer.alloc(64).toString('base64')}`
    const Items = Item.setup({
      tableName: 'items',
      credentials: { connectionString: `${account};${endpoint}` },
      agent: new Agent(),
    })
    await expect(Items.load({ id: 'a' })).rejects.toMatchObject({ name: 'TransportError' })
    server.close()
  })
})
