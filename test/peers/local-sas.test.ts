import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  generateAccountSas,
  generateTableSas,
  RestError,
  type SignedIdentifier,
  TableClient,
  type TableSasSignatureValues,
  TableServiceClient,
} from '@azure/data-tables'
import { type LocalListener, startLocalService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const key = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } }
const hour = 3_600_000

/** Status and code with which the service refuses a call. */
async function refusalOf(
  work: Promise<unknown>,
): Promise<[number | undefined, string | undefined]> {
  const error: unknown = await work.then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof RestError)) expect.fail(`expected a RestError, received ${String(error)}`)
  const code = error.response?.headers.get('x-ms-error-code')
  return [error.statusCode, code]
}

async function rowKeysOf(table: TableClient): Promise<(string | undefined)[]> {
  const rowKeys: (string | undefined)[] = []
  for await (const { rowKey } of table.listEntities()) rowKeys.push(rowKey)
  return rowKeys
}

describe('what @azure/data-tables signs, on @rowkey/local', () => {
  let local: LocalListener
  let url: string
  let owner: TableClient
  let count = 0

  beforeAll(async () => {
    local = await startLocalService({ port: 0 })
    url = `http://127.0.0.1:${local.port}/${DEVELOPMENT_ACCOUNT}`
  })

  afterAll(() => local.close())

  beforeEach(async () => {
    count += 1
    owner = new TableClient(url, `Customers${count}`, key, options)
    await owner.createTable()
    for (const rowKey of ['1', '2', '3', '4']) {
      await owner.createEntity({ partitionKey: 'p', rowKey })
    }
  })

  /** A client with a signature on the table. */
  const guest = (values?: TableSasSignatureValues) => {
    const sas = generateTableSas(owner.tableName, key, values)
    return new TableClient(url, owner.tableName, new AzureSASCredential(sas), options)
  }
  /** A client with a signature on the account. */
  const guestOfAccount = (values: Parameters<typeof generateAccountSas>[1] = {}) =>
    new TableServiceClient(url, new AzureSASCredential(generateAccountSas(key, values)), options)

  it('R-68: lets a table signature do what it names, and no more', async () => {
    const reader = guest({ permissions: { query: true }, expiresOn: new Date(Date.now() + hour) })
    expect(await rowKeysOf(reader)).toEqual(['1', '2', '3', '4'])
    expect(await refusalOf(reader.createEntity({ partitionKey: 'p', rowKey: '5' }))).toEqual([
      403,
      'AuthorizationPermissionMismatch',
    ])
    const writer = guest({ permissions: { add: true, update: true, delete: true } })
    await writer.createEntity({ partitionKey: 'p', rowKey: '5' })
    await writer.upsertEntity({ partitionKey: 'p', rowKey: '5', age: 41 })
    await writer.deleteEntity('p', '5')
    expect(await refusalOf(writer.getEntity('p', '1'))).toEqual([
      403,
      'AuthorizationPermissionMismatch',
    ])
    const updater = guest({ permissions: { update: true } })
    expect(await refusalOf(updater.upsertEntity({ partitionKey: 'p', rowKey: '1' }))).toEqual([
      403,
      'AuthorizationPermissionMismatch',
    ])
  })

  it('R-69: shows and takes the rows of a key range alone', async () => {
    const range = { startPartitionKey: 'p', startRowKey: '2', endPartitionKey: 'p', endRowKey: '3' }
    const permissions = { query: true, add: true, update: true, delete: true }
    const table = guest({ ...range, permissions })
    expect(await rowKeysOf(table)).toEqual(['2', '3'])
    expect(await refusalOf(table.getEntity('p', '1'))).toEqual([404, 'ResourceNotFound'])
    expect(await refusalOf(table.createEntity({ partitionKey: 'p', rowKey: '9' }))).toEqual([
      403,
      'AuthorizationFailure',
    ])
    await table.updateEntity({ partitionKey: 'p', rowKey: '2', age: 41 })
    await table.submitTransaction([['delete', { partitionKey: 'p', rowKey: '3' }]])
    expect(await rowKeysOf(table)).toEqual(['2'])
    const batch = table.submitTransaction([['delete', { partitionKey: 'p', rowKey: '4' }]])
    await expect(batch).rejects.toMatchObject({ statusCode: 403 })
    expect(await rowKeysOf(owner)).toEqual(['1', '2', '4'])
  })

  it('R-71: holds from its start until its expiry', async () => {
    const now = Date.now()
    const permissions = { query: true }
    const at = (start: number, end: number) =>
      guest({ permissions, startsOn: new Date(now + start), expiresOn: new Date(now + end) })
    expect(await rowKeysOf(at(-hour, hour))).toHaveLength(4)
    for (const table of [at(-2 * hour, -hour), at(hour, 2 * hour)]) {
      expect(await refusalOf(table.getEntity('p', '1'))).toEqual([403, 'AuthenticationFailed'])
    }
  })

  it('heeds the addresses and the protocol of a signature', async () => {
    const permissions = { query: true }
    const near = guest({ permissions, ipRange: { start: '127.0.0.1', end: '127.0.0.9' } })
    expect(await rowKeysOf(near)).toHaveLength(4)
    const far = guest({ permissions, ipRange: { start: '10.0.0.1' } })
    expect(await refusalOf(far.getEntity('p', '1'))).toEqual([403, 'AuthorizationSourceIPMismatch'])
    const secret = guest({ permissions, protocol: 'https' })
    expect(await refusalOf(secret.getEntity('p', '1'))).toEqual([
      403,
      'AuthorizationProtocolMismatch',
    ])
  })

  it('R-74: keeps stored policies, which signatures refer to until they are revoked', async () => {
    const policy: SignedIdentifier = {
      id: 'readers',
      accessPolicy: {
        start: new Date('2020-01-01T00:00:00Z'),
        expiry: new Date('2099-01-01T00:00:00Z'),
        permission: 'r',
      },
    }
    await owner.setAccessPolicy([policy])
    expect(await owner.getAccessPolicy()).toMatchObject([policy])
    const reader = guest({ identifier: 'readers' })
    expect(await rowKeysOf(reader)).toHaveLength(4)
    expect(await refusalOf(reader.deleteEntity('p', '1'))).toEqual([
      403,
      'AuthorizationPermissionMismatch',
    ])
    const both = guest({ identifier: 'readers', permissions: { query: true } })
    expect(await refusalOf(both.getEntity('p', '1'))).toEqual([403, 'AuthenticationFailed'])
    await owner.setAccessPolicy([])
    expect(await refusalOf(reader.getEntity('p', '1'))).toEqual([403, 'AuthenticationFailed'])
  })

  it('R-80: lets an account signature do what it names, and no more', async () => {
    const permissions = { list: true, write: true, delete: true, query: true }
    const all = guestOfAccount({ permissions })
    await all.createTable(`More${count}`)
    const names: (string | undefined)[] = []
    for await (const { name } of all.listTables()) names.push(name)
    expect(names).toContain(`More${count}`)
    await all.deleteTable(`More${count}`)
    expect((await all.getProperties()).cors).toEqual([])
    const reader = guestOfAccount({ permissions: { query: true } })
    expect(await refusalOf(reader.createTable('never'))).toEqual([
      403,
      'AuthorizationPermissionMismatch',
    ])
    const service = { permissions, resourceTypes: 's' }
    expect(await refusalOf(guestOfAccount(service).createTable('never'))).toEqual([
      403,
      'AuthorizationResourceTypeMismatch',
    ])
  })

  it('R-83: sets and shows the properties of the service', async () => {
    const account = new TableServiceClient(url, key, options)
    const retentionPolicy = { enabled: true, days: 7 }
    const rule = {
      allowedOrigins: 'http://a.example',
      allowedMethods: 'GET,PUT',
      allowedHeaders: 'x-ms-*',
      exposedHeaders: 'x-ms-*',
      maxAgeInSeconds: 500,
    }
    const logging = { version: '1.0', read: true, write: false, delete: true, retentionPolicy }
    await account.setProperties({ logging, cors: [rule] })
    expect(await account.getProperties()).toMatchObject({
      logging,
      cors: [rule],
      hourMetrics: { enabled: false },
    })
    await account.setProperties({ cors: [] })
  })

  it('R-119: says on the secondary when it was last in step', async () => {
    // In path style this client does not find the secondary by itself.
    const account = new TableServiceClient(`${url}-secondary`, key, options)
    const { geoReplication } = await account.getStatistics()
    expect(geoReplication?.status).toBe('live')
    expect(geoReplication?.lastSyncTime).toBeInstanceOf(Date)
  })

  it('R-117: shows the rows on the secondary, and takes none there', async () => {
    const table = new TableClient(`${url}-secondary`, owner.tableName, key, options)
    expect(await rowKeysOf(table)).toEqual(['1', '2', '3', '4'])
    expect(await refusalOf(table.deleteEntity('p', '1'))).toEqual([
      403,
      'InsufficientAccountPermissions',
    ])
  })
})
