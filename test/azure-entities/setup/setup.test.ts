import { randomBytes } from 'node:crypto'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Entity, { type SetupOptions } from '@rowkey/azure-entities'
import {
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  SasProviderCredential,
  SharedKeyCredential,
  tableSas,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
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
  it.each<[string, SetupOptions]>([
    ['a key, as version 5 spells it', { tableName: 'items', credentials }],
    [
      'a key, as version 1 spells it',
      { table: 'items', credentials: { accountName: 'contoso', accountKey: 'AAAA' } },
    ],
    [
      'an account beside the credentials',
      { account: 'contoso', table: 'items', credentials: { accountKey: 'AAAA' } },
    ],
    [
      'a signature',
      {
        tableName: 'items',
        credentials: {
          accountId: 'contoso',
          sas: 'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
        },
      },
    ],
    [
      'a function that gets signatures',
      {
        tableName: 'items',
        credentials: {
          accountId: 'contoso',
          sas: () => 'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
        },
      },
    ],
    [
      'a connection string',
      { tableName: 'items', credentials: { connectionString: 'UseDevelopmentStorage=true' } },
    ],
    [
      'null for what the class does not use',
      {
        tableName: 'items',
        credentials,
        signingKey: null,
        cryptoKey: '',
        agent: null,
        monitor: null,
      },
    ],
    ['inMemory as credentials', { tableName: 'items', credentials: 'inMemory' }],
    ['inMemory as the account', { account: 'inMemory', table: 'items', credentials: null }],
    [
      'options that have no effect',
      {
        tableName: 'items',
        credentials,
        agent: new Agent(),
        drain: {},
        component: 'c',
        process: 'p',
      },
    ],
  ])('R-131: takes %s', (_what, options) => {
    expect(Item.setup(options).prototype).toBeInstanceOf(Item)
  })

  it('R-131: warns of options that have no effect, and names what to use', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    Item.setup({ tableName: 'items', credentials, drain: {}, component: 'c', process: 'p' })
    const texts = warn.mock.calls.map(([text]) => String(text))
    warn.mockRestore()
    expect(texts).toEqual(
      ['drain', 'component', 'process'].map((name) =>
        expect.stringContaining(`setup: ${name} has no effect`),
      ),
    )
  })

  it.each<[string, object]>([
    ['no table', { credentials }],
    ['no credentials', { tableName: 'items' }],
    ['inMemory without credentials', { account: 'inMemory', table: 'items' }],
    ['credentials without an account', { tableName: 'items', credentials: { accessKey: 'AAAA' } }],
    ['credentials without a key', { tableName: 'items', credentials: { accountId: 'contoso' } }],
    [
      'a client id of Taskcluster',
      { table: 'items', account: 'contoso', credentials: { clientId: 'a', accessToken: 'b' } },
    ],
    ['a signingKey that is not needed', { tableName: 'items', credentials, signingKey: 'a' }],
    ['a cryptoKey that is not needed', { tableName: 'items', credentials, cryptoKey: 'a' }],
    ['an agent that is not one', { tableName: 'items', credentials, agent: {} }],
    [
      'an account that is a number',
      { tableName: 'items', credentials: { ...credentials, accountId: 7 } },
    ],
    ['a service that is not one', { tableName: 'items', service: {} }],
    ['a monitor without functions', { tableName: 'items', credentials, monitor: {} }],
    ['a context that is null', { tableName: 'items', credentials, context: null }],
    [
      'a threshold that is text',
      { tableName: 'items', credentials, operationReportThreshold: '5' },
    ],
    ['a context that is not declared', { tableName: 'items', credentials, context: { x: 1 } }],
  ])('R-131: rejects %s', (_what, options) => {
    expect(() => Item.setup(options)).toThrow(invalidSetup)
  })

  it('names an unknown option', () => {
    const options = { tableName: 'items', credentials, tablename: 'x' } as SetupOptions
    expect(() => Item.setup(options)).toThrow(expect.objectContaining({ code: 'UnknownOption' }))
  })

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
