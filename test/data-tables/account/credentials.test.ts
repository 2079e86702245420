import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  generateAccountSas,
  generateTableSas,
  TableClient,
  TableServiceClient,
} from '@rowkey/data-tables'
import {
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  type HttpRequest,
  type HttpResponse,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { base64In } from '../../../packages/data-tables/src/account/credentials.ts'
import { openPeople } from '../open.ts'

const key = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
const wrongKey = Buffer.alloc(64).toString('base64')
const expiresOn = new Date(Date.UTC(2099, 0))

const row = { partitionKey: 'p', rowKey: 'r', n: 1 }

describe('a credential', () => {
  it('can be updated while clients use it', async () => {
    const { people, options } = await openPeople()
    const credential = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, wrongKey)
    const client = new TableClient(people.url, 'people', credential, options)
    await expect(client.createEntity(row)).rejects.toMatchObject({ statusCode: 403 })
    credential.update(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
    await client.createEntity(row)
  })

  it('may be a SAS of the table, of the account, or in the URL', async () => {
    const { people, options } = await openPeople()
    await people.createEntity(row)
    const ofTable = generateTableSas('people', key, { permissions: { query: true }, expiresOn })
    const ofAccount = generateAccountSas(key, { permissions: { query: true }, expiresOn })
    const sas = new AzureSASCredential(ofTable)
    const clients = [
      new TableClient(people.url, 'people', sas, options),
      new TableClient(people.url, 'people', new AzureSASCredential(ofAccount), options),
      new TableClient(`${people.url}?${ofTable}`, 'people', options),
    ]
    for (const client of clients) {
      expect(await client.getEntity('p', 'r')).toMatchObject({ n: 1 })
    }
    sas.update(generateTableSas('people', key, { permissions: { add: true }, expiresOn }))
    await expect(clients[0]?.getEntity('p', 'r')).rejects.toMatchObject({
      name: 'RestError',
      statusCode: 403,
      code: 'AuthorizationPermissionMismatch',
    })
  })

  it('may be a SAS of a connection string', async () => {
    const { people, options } = await openPeople()
    await people.createEntity(row)
    const sas = generateAccountSas(key, { permissions: { query: true }, expiresOn })
    const text = `TableEndpoint=${people.url};SharedAccessSignature=${sas}`
    const client = TableClient.fromConnectionString(text, 'people', options)
    expect(await client.getEntity('p', 'r')).toMatchObject({ n: 1 })
    await expect(client.createEntity(row)).rejects.toMatchObject({ statusCode: 403 })
    // The official client's URL has the SAS, and programs open other tables with it.
    const service = TableServiceClient.fromConnectionString(text, options)
    const other = new TableClient(service.url, 'people', options)
    expect(await other.getEntity('p', 'r')).toMatchObject({ n: 1 })
  })

  it('may be absent: requests are then sent without a signature', async () => {
    const { people, options, sent } = await openPeople()
    const client = new TableClient(people.url, 'people', options)
    await expect(client.getEntity('p', 'r')).rejects.toMatchObject({ name: 'RestError' })
    expect(sent.at(-1)?.headers.authorization).toBeUndefined()
  })

  it('may have a key that is not base64, which the service rejects; no message shows it', async () => {
    const { people, options } = await openPeople()
    const wrong = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, 'not base64!')
    const error: unknown = await new TableClient(people.url, 'people', wrong, options)
      .getEntity('p', 'r')
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ statusCode: 403 })
    expect(String(error)).not.toContain('not base64!')
    const fake =
      'DefaultEndpointsProtocol=https;AccountName=fake;AccountKey=a fake key;EndpointSuffix=x.y'
    expect(TableClient.fromConnectionString(fake, 'people').url).toBe('https://fake.table.x.y')
    const lower = fake.replace('AccountKey', 'accountkey')
    expect(TableClient.fromConnectionString(lower, 'people').url).toBe('https://fake.table.x.y')
    const nameless = new AzureNamedKeyCredential('no name!', 'secret')
    const open = () => new TableClient(people.url, 'people', nameless, options)
    expect(open).toThrow(expect.objectContaining({ name: 'InputError' }))
    expect(open).not.toThrow(/secret/)
  })

  it.each(['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'a-_+/', 'not base64!'])(
    'has the key that Buffer reads from %j',
    (text) => {
      const bytes = (key: string) => Buffer.from(key, 'base64')
      expect(bytes(base64In(text))).toEqual(bytes(text))
      expect(base64In(text).length % 4).toBe(0)
    },
  )

  it('may be a source of tokens, whose errors are thrown as they are', async () => {
    const unavailable = Object.assign(new Error('sign in'), { name: 'CredentialUnavailableError' })
    const source = { getToken: () => Promise.reject(unavailable) }
    const client = new TableClient('https://contoso.table.core.windows.net', 'people', source)
    await expect(client.getEntity('p', 'r')).rejects.toBe(unavailable)
  })

  it('may be a source of tokens at a URL that does not show the account', async () => {
    const scopes: unknown[] = []
    const source = {
      async getToken(scope: unknown) {
        scopes.push(scope)
        return null
      },
    }
    const client = new TableClient('https://localhost/', 'people', source)
    await expect(client.createTable()).rejects.toThrow()
    const service = new TableServiceClient('https://localhost/', source)
    await expect(service.createTable('people')).rejects.toThrow()
    const cosmos = ['https://cosmos.azure.com/.default']
    expect([scopes[0], scopes.at(-1)]).toEqual([cosmos, cosmos])
  })

  it('may be the key of another account, which the service rejects', async () => {
    const sent: HttpRequest[] = []
    const transport = async (request: HttpRequest): Promise<HttpResponse> => {
      sent.push(request)
      return { status: 403, headers: {}, body: '' }
    }
    const url = 'https://contoso.table.core.windows.net'
    const other = new AzureNamedKeyCredential('other', wrongKey)
    const text = `DefaultEndpointsProtocol=https;AccountName=other;AccountKey=${wrongKey};TableEndpoint=${url}`
    for (const client of [
      new TableClient(url, 'people', other, { transport }),
      TableClient.fromConnectionString(text, 'people', { transport }),
    ]) {
      expect(client.url).toBe(url)
      await expect(client.getEntity('p', 'r')).rejects.toMatchObject({ statusCode: 403 })
      expect(sent.at(-1)).toMatchObject({
        origin: url,
        headers: { authorization: expect.stringContaining(' other:') },
      })
    }
  })

  it('may be a SAS whose signature the service rejects', async () => {
    const sas = 'sv=2019-02-02&sig=cut'
    const sent: HttpRequest[] = []
    const transport = async (request: HttpRequest): Promise<HttpResponse> => {
      sent.push(request)
      return { status: 403, headers: {}, body: '' }
    }
    const url = 'https://contoso.table.core.windows.net'
    for (const client of [
      new TableClient(url, 'people', new AzureSASCredential(sas), { transport }),
      new TableClient(`${url}?${sas}`, 'people', { transport }),
      TableClient.fromConnectionString(
        `TableEndpoint=${url};SharedAccessSignature=${sas}`,
        'people',
        { transport },
      ),
    ]) {
      await expect(client.getEntity('p', 'r')).rejects.toMatchObject({ statusCode: 403 })
      expect(sent.at(-1)?.query).toContain(sas)
    }
  })
})
