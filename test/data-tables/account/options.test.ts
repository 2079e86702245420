import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TableClient } from '@rowkey/data-tables'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { retryOf } from '../../../packages/data-tables/src/account/client-options.ts'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }
const key = { name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }

describe('the options of a call', () => {
  it('add headers to the request, in place of others', async () => {
    const { people, sent } = await openPeople()
    const customHeaders = { 'X-MS-Client-Request-Id': 'mine', 'x-more': 'yes' }
    const result = await people.createEntity(row, { requestOptions: { customHeaders } })
    expect(sent[0]?.headers).toMatchObject({ 'x-ms-client-request-id': 'mine', 'x-more': 'yes' })
    expect(result.clientRequestId).toBe('mine')
  })

  it('give onResponse the response, the result and the error', async () => {
    const { people } = await openPeople()
    const calls: unknown[] = []
    const onResponse = (raw: { status: number }, flat: unknown, error?: unknown) =>
      calls.push([raw.status, flat, error])
    const created = await people.createEntity(row, { onResponse })
    const error: unknown = await people.createEntity(row, { onResponse }).catch((e: unknown) => e)
    expect(calls).toEqual([
      [204, created, undefined],
      [409, (error as { details: unknown }).details, error],
    ])
  })

  it('give onResponse the members and headers of a response, as the service sent them', async () => {
    const { people, service } = await openPeople()
    await people.createEntity({ ...row, n: 1 })
    const flat: unknown[] = []
    const onResponse = (_raw: object, members: unknown) => flat.push(members)
    await people.getEntity('p', 'r', { onResponse })
    await people.createEntity({ ...row, rowKey: 's' })
    await people.listEntities({ onResponse }).byPage({ maxPageSize: 1 }).next()
    await service.listTables({ onResponse }).next()
    const date = expect.any(Date)
    expect(flat).toEqual([
      expect.objectContaining({ PartitionKey: 'p', n: 1, date }),
      expect.objectContaining({
        value: [expect.objectContaining({ RowKey: 'r' })],
        xMsContinuationNextPartitionKey: expect.any(String),
      }),
      expect.objectContaining({ value: [{ TableName: 'people' }], date }),
    ])
  })

  it('give onResponse the result of a response in XML as its parsed body', async () => {
    const { service } = await openPeople()
    let parsed: unknown
    const onResponse = ({ parsedBody }: { parsedBody?: unknown }) => {
      parsed = parsedBody
    }
    expect(await service.getProperties({ onResponse })).toEqual(parsed)
  })

  it('set the id of a request that changes the properties', async () => {
    const { service, sent } = await openPeople()
    await service.setProperties({}, { requestId: 'mine' })
    expect(sent[0]?.headers['x-ms-client-request-id']).toBe('mine')
  })

  it('call onResponse once for each page, with the parsed body', async () => {
    const { people } = await openPeople()
    for (const rowKey of ['a', 'b', 'c']) await people.createEntity({ ...row, rowKey })
    const sizes: number[] = []
    const options = {
      onResponse: ({ parsedBody }: { parsedBody?: { value: unknown[] } }) =>
        sizes.push(parsedBody?.value.length ?? -1),
    }
    for await (const _page of people.listEntities(options).byPage({ maxPageSize: 2 }));
    expect(sizes).toEqual([2, 1])
  })

  it('take the signals of older libraries', async () => {
    const { people } = await openPeople()
    const aborted = { aborted: true, addEventListener() {}, removeEventListener() {} }
    await expect(people.getEntity('p', 'r', { abortSignal: aborted })).rejects.toMatchObject({
      name: 'AbortError',
    })
    const listeners: (() => void)[] = []
    const abortSignal = {
      aborted: false,
      addEventListener: (_: string, listener: () => void) => listeners.push(listener),
      removeEventListener() {},
    }
    const call = people.getEntity('p', 'r', { abortSignal } as never)
    const other = people.getEntity('p', 's', { abortSignal } as never)
    // A signal of the whole program would collect one for each call.
    expect(listeners).toHaveLength(1)
    listeners[0]?.()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await expect(other).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('may be those of other libraries: what has no meaning here is ignored', async () => {
    const { people } = await openPeople()
    const options = { tracingOptions: {}, serializerOptions: { xml: {} }, more: 1 }
    await people.createEntity(row, options as object)
    await people.getEntity('p', 'r', { requestOptions: { timeout: 0, shouldDeserialize: true } })
  })

  it('may be null for none, as programs in JavaScript say', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, n: 1 })
    const nothing = { disableTypeConversion: null, requestOptions: null, onResponse: null }
    for (const queryOptions of [null, { filter: null, select: null }]) {
      const options = { ...nothing, queryOptions, abortSignal: null } as object
      expect(await people.getEntity('p', 'r', options)).toMatchObject({ n: 1 })
      expect(await people.listEntities(options).next()).toMatchObject({ value: { n: 1 } })
    }
  })

  it('of a conditional write are checked, because a misspelled etag would overwrite', async () => {
    const { people, sent } = await openPeople()
    for (const options of [{ eTag: 'x' }, { ETag: 'x' }, { ifMatch: 'x' }]) {
      const update = people.updateEntity(row, 'Merge', options as object)
      await expect(update).rejects.toThrow(/has no option '\w+'. Use etag/)
      await expect(people.deleteEntity('p', 'r', options as object)).rejects.toThrow(/Use etag/)
    }
    expect(sent).toEqual([])
  })
})

describe('the options of a client', () => {
  it('set the version, the prefix of the user agent and the header of the id', async () => {
    const { people, options, sent } = await openPeople()
    const client = new TableClient(people.url, 'people', key, {
      ...options,
      version: '2019-07-07',
      userAgentOptions: { userAgentPrefix: 'shop/1' },
      telemetryOptions: { clientRequestIdHeaderName: 'x-correlation-id' },
      ...{ redirectOptions: { maxRetries: 5 }, keepAliveOptions: {} },
    })
    await client.createEntity(row)
    const headers = sent.at(-1)?.headers
    expect(headers).toMatchObject({
      'x-ms-version': '2019-07-07',
      'user-agent': expect.stringMatching(/^shop\/1 rowkey\/\S+ \(node /),
      'x-correlation-id': headers?.['x-ms-client-request-id'],
    })
    await people.getEntity('p', 'r')
    expect(sent.at(-1)?.headers['user-agent']).toMatch(/^rowkey/)
  })

  it.each(['shop\r\nx-more: 1', 'shöp', '\0', 7])(
    'reject the prefix %j of the user agent',
    (prefix) => {
      const open = () =>
        new TableClient('https://contoso.table.core.windows.net', 'people', key, {
          userAgentOptions: { userAgentPrefix: prefix as string },
        })
      expect(open).toThrow(/userAgentPrefix of userAgentOptions must be text of printable ASCII/)
    },
  )

  it('send to another endpoint than the URL', async () => {
    const { people, options } = await openPeople()
    const url = `http://elsewhere.invalid/${DEVELOPMENT_ACCOUNT}`
    const client = new TableClient(url, 'people', key, { ...options, endpoint: people.url })
    await client.createEntity(row)
    expect([client.url, (await people.getEntity('p', 'r')).rowKey]).toEqual([url, 'r'])
  })

  it('retry as often as they say', async () => {
    const { people } = await openPeople()
    for (const maxRetries of [0, 2]) {
      let requests = 0
      const client = new TableClient(people.url, 'people', key, {
        retryOptions: { maxRetries, retryDelayInMs: 0, maxRetryDelayInMs: 0 },
        transport: async () => ({ status: 503, headers: {}, body: String(++requests) }),
      })
      await expect(client.getEntity('p', 'r')).rejects.toMatchObject({ statusCode: 503 })
      expect(requests).toBe(maxRetries + 1)
    }
  })

  it('wait between attempts up to 30 seconds, or as long as the first delay', () => {
    const failed = {
      number: 1,
      status: 503,
      code: 'ServerBusy',
      transient: true,
      mayHaveApplied: false,
      location: 'primary',
      retryAfter: 90_000,
      random: () => 1,
    } as const
    expect(retryOf({}).delayAfter(failed)).toBe(30_000)
    expect(retryOf({ retryDelayInMs: 60_000 }).delayAfter(failed)).toBe(60_000)
  })

  it('show the proxy its user', async () => {
    const seen: unknown[] = []
    const proxy = createServer()
    proxy.on('connect', ({ headers }, socket) => {
      seen.push(headers['proxy-authorization'])
      socket.destroy()
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const client = new TableClient(
      `https://${DEVELOPMENT_ACCOUNT}.table.core.windows.net`,
      'people',
      key,
      {
        proxyOptions: { host: 'http://127.0.0.1', port, username: 'me', password: 'secret' },
        retryOptions: { maxRetries: 0 },
      },
    )
    await expect(client.getEntity('p', 'r')).rejects.toThrow()
    expect(seen).toContain(`Basic ${Buffer.from('me:secret').toString('base64')}`)
    await new Promise((resolve) => proxy.close(resolve))
  })

  it('report an invalid endpoint when a call needs it', async () => {
    const url = 'https://contoso.table.core.windows.net'
    const client = new TableClient(url, 'people', { endpoint: 'contoso' })
    expect(client.url).toBe(url)
    await expect(client.getEntity('p', 'r')).rejects.toMatchObject({ code: 'InvalidEndpoint' })
    expect(() => new TableClient('contoso', 'people')).toThrow(/must be a URL/)
  })

  it.each(['agent', 'tlsOptions'])('reject %s without an httpClient that uses it', (name) => {
    const open = () =>
      new TableClient('https://contoso.table.core.windows.net', 'people', key, {
        [name]: {},
      })
    expect(open).toThrow(expect.objectContaining({ name: 'InputError' }))
    expect(open).toThrow(new RegExp(`${name} of TableClient needs an httpClient`))
  })

  it('reject plain http to another machine unless they allow it', () => {
    const url = `http://elsewhere.invalid/${DEVELOPMENT_ACCOUNT}`
    expect(() => new TableClient(url, 'people', key)).toThrow(
      /plain http.* set allowInsecureConnection: true/,
    )
    expect(new TableClient(url, 'people', key, { allowInsecureConnection: true }).url).toBe(url)
  })
})
