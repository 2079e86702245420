import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  generateAccountSas,
  generateTableSas,
  TableClient,
} from '@azure/data-tables'
import { startLocalService } from '@rowkey/local'
import {
  accountSas,
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  type Endpoint,
  parseConnectionString,
  type SharedAccessSignature,
  SharedKeyCredential,
  tableSas,
} from '@rowkey/rest'
import {
  type Account,
  connect,
  DynamicEntity,
  EntityNotFoundError,
  noRetry,
  SasCredential,
  ServiceError,
} from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const past = new Date(Date.UTC(2020, 0))
const expiry = new Date(Date.UTC(2099, 0))
const credential = new SharedKeyCredential({ account: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY })

/** Status and code of what must be refused by the service, not by us. */
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      return error.status
    },
  )

/** Azurite knows what a range of keys signs, and then shows the whole table. */
const services = [
  { name: '@rowkey/local', start: () => startLocalService({ port: 0 }), keepsRange: true },
  { name: 'Azurite', start: startAzurite, keepsRange: false },
] satisfies readonly { name: string; start: () => Promise<Service>; keepsRange: boolean }[]

describe.each(services)('SAS on $name', ({ start, keepsRange }) => {
  let service: Service
  let account: Account
  let endpoint: Endpoint

  beforeAll(async () => {
    service = await start()
    account = connect(service.connectionString)
    endpoint = parseConnectionString(service.connectionString).endpoint
    const people = account.table('people')
    await people.create()
    for (const [lastName, firstName] of [
      ['Harp', 'Walter'],
      ['Jones', 'Ann'],
      ['Smith', 'Ben'],
      ['Smith', 'Jeff'],
      ['Young', 'Zoe'],
    ] as const) {
      await people.insert(new DynamicEntity(lastName, firstName))
    }
  })

  afterAll(async () => {
    await account.close()
    await service.close()
  })

  /** The account with a token and nothing else; what the token allows only Azurite checks. */
  const openWith = ({ token }: SharedAccessSignature) =>
    connect({
      endpoint,
      credential: new SasCredential(token, { checks: 'by the service' }),
      retry: noRetry,
    })

  const namesIn = async (opened: Account) => {
    const names: string[] = []
    const rows = opened.table('people').query().allowTableScan()
    for await (const row of rows) names.push(row.rowKey)
    return names
  }

  it('R-68, R-70: lets a table SAS do what its letters say, and nothing else', async () => {
    const people = openWith(account.table('people').sas({ permissions: 'r', expiry })).table(
      'people',
    )
    await expect(people.get(['Smith', 'Jeff'])).resolves.toBeDefined()
    expect(await refusalOf(people.insert(new DynamicEntity('Smith', 'Lisa')))).toBe(403)
    expect(await refusalOf(people.delete(['Smith', 'Jeff'], { etag: '*' }))).toBe(403)
  })

  it('opens the account by the URL of a SAS', async () => {
    const opened = connect(
      account.table('people').sas({ permissions: 'r', expiry }).urlAt(endpoint),
    )
    expect(await namesIn(opened)).toEqual(['Walter', 'Ann', 'Ben', 'Jeff', 'Zoe'])
  })

  it('R-69: shows a range of pairs of keys, with whole partitions in the middle', async () => {
    const from = { partitionKey: 'Harp', rowKey: 'X' }
    const to = { partitionKey: 'Smith', rowKey: 'Ben' }
    const sas = account.table('people').sas({ permissions: 'raud', expiry, from, to })
    const opened = openWith(sas)
    const people = opened.table('people')
    await expect(people.get(['Smith', 'Ben'])).resolves.toBeDefined()
    if (!keepsRange) return
    expect(await namesIn(opened)).toEqual(['Ann', 'Ben'])
    await expect(people.get(['Smith', 'Jeff'])).rejects.toThrow(EntityNotFoundError)
    expect(await refusalOf(people.insert(new DynamicEntity('Smith', 'Lisa')))).toBe(403)
  })

  it.each(['2015-04-05', '2018-11-09', '2019-02-02', '2020-12-06'])(
    'R-73: accepts what version %s signs',
    async (version) => {
      const table = account.table('people').sas({ permissions: 'r', expiry, version })
      expect(await namesIn(openWith(table))).toHaveLength(5)
      const everything = { permissions: 'rl', resourceTypes: 'sco', expiry, version }
      expect(await namesIn(openWith(account.sas(everything)))).toHaveLength(5)
    },
  )

  it('R-72, R-74, R-75: ends with the stored policy that it names', async () => {
    const table = account.table('people')
    await table.accessPolicies.set([{ id: 'support', permissions: 'r', start: past, expiry }])
    const people = openWith(table.sas({ policy: 'support' })).table('people')
    await expect(people.get(['Smith', 'Jeff'])).resolves.toBeDefined()
    expect(await refusalOf(people.insert(new DynamicEntity('Smith', 'Lisa')))).toBe(403)
    await table.accessPolicies.revoke('support')
    expect(await refusalOf(people.get(['Smith', 'Jeff']))).toBe(403)
  })

  it('R-80: lets an account SAS do what its letters say, on all tables', async () => {
    const reader = openWith(account.sas({ permissions: 'rl', resourceTypes: 'co', expiry }))
    const tables: string[] = []
    for await (const name of reader.tables()) tables.push(name)
    expect(tables).toEqual(['people'])
    expect(await namesIn(reader)).toHaveLength(5)
    expect(await refusalOf(reader.createTable('customers'))).toBe(403)
    const entitiesOnly = openWith(account.sas({ permissions: 'rl', resourceTypes: 'o', expiry }))
    expect(await refusalOf(entitiesOnly.table('people').exists())).toBe(403)
  })

  it('R-82: opens no stored access policies with a SAS', async () => {
    const all = openWith(account.sas({ permissions: 'rwdlau', resourceTypes: 'sco', expiry }))
    expect(await refusalOf(all.table('people').accessPolicies.get())).toBe(403)
  })

  it('makes tokens that the official client uses', async () => {
    const { token } = account.table('people').sas({ permissions: 'r', expiry })
    const url = `${endpoint.origin}${endpoint.basePath}`
    const client = new TableClient(url, 'people', new AzureSASCredential(token), {
      allowInsecureConnection: true,
    })
    expect(await client.getEntity('Smith', 'Jeff')).toMatchObject({ rowKey: 'Jeff' })
  })
})

describe('a SAS of ours and of the official client', () => {
  const named = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
  const signatureOf = (token: string) => new URLSearchParams(token).get('sig')

  it('has the same signature for a range of a table', () => {
    const theirs = generateTableSas('MyTable', named, {
      permissions: { query: true, add: true, update: true, delete: true },
      startsOn: past,
      expiresOn: expiry,
      protocol: 'https',
      ipRange: { start: '168.1.5.60', end: '168.1.5.70' },
      startPartitionKey: 'a',
      startRowKey: '1',
      endPartitionKey: "o'Brien ü",
      endRowKey: '2',
    })
    const { token } = tableSas({
      credential,
      table: 'MyTable',
      permissions: 'raud',
      start: past,
      expiry,
      ips: '168.1.5.60-168.1.5.70',
      from: { partitionKey: 'a', rowKey: '1' },
      to: { partitionKey: "o'Brien ü", rowKey: '2' },
    })
    expect(signatureOf(token)).toBe(signatureOf(theirs))
  })

  it('has the same signature for an account', () => {
    const theirs = generateAccountSas(named, {
      permissions: { query: true, list: true, add: true },
      resourceTypes: 'co',
      startsOn: past,
      expiresOn: expiry,
      protocol: 'https',
    })
    const terms = { permissions: 'rla', resourceTypes: 'co', start: past, expiry }
    expect(signatureOf(accountSas({ credential, ...terms }).token)).toBe(signatureOf(theirs))
  })
})
