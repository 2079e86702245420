import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TableClient } from '@rowkey/data-tables'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { retryOf } from '../../../packages/data-tables/src/account/client-options.ts'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }
const key = { name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }

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

  it.each(['agent', 'tlsOptions'])('reject %s without an httpClient that uses it', (name) => {
    const open = () =>
      new TableClient('https://contoso.table.core.windows.net', 'people', key, {
        [name]: {},
      })
    expect(open).toThrow(expect.objectContaining({ name: 'InputError' }))
    expect(open).toThrow(new RegExp(`${name} of TableClient needs an httpClient`))
  })
})
