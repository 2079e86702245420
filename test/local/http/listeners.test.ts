import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import {
  type InjectedFault,
  type ListenLimits,
  type LocalListener,
  type LocalTableService,
  localTableService,
} from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { createTable, type HttpResponse, insertEntity, perform, tableService } from '@rowkey/rest'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Listener, Listeners, type Responder } from '../../../packages/local/src/http/listeners.ts'
import { withDefaults } from '../../../packages/local/src/service/listen-options.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { ACCOUNT, KEY, sign } from '../../support/local-conversation.ts'

const terms = { host: '127.0.0.1', port: 0, limits: withDefaults({}), hosts: undefined }

const responder: Responder = {
  deliver: async () => ({ kind: 'whole', response: { status: 200, headers: {}, body: 'yes' } }),
  reject: () => expect.fail('there is nothing to reject'),
  report: (error) => expect.fail(String(error)),
  pause: () => expect.fail('nothing is late'),
}

describe('Listeners', () => {
  it('closes all listeners, and starts none after that', async () => {
    const listeners = new Listeners(responder)
    const started = await Promise.all([listeners.start(terms), listeners.start(terms)])
    const addresses = started.map(({ port }) => `http://127.0.0.1:${port}/`)
    const responses = addresses.map(async (address) => (await fetch(address)).text())
    expect(await Promise.all(responses)).toEqual(['yes', 'yes'])
    await listeners.close()
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow(TypeError)
    await expect(listeners.start(terms)).rejects.toMatchObject({ failure: 'closed' })
  })

  it('forgets a listener that was closed alone', async () => {
    const listeners = new Listeners(responder)
    const close = vi.spyOn(Listener.prototype, 'close')
    const [first] = await Promise.all([listeners.start(terms), listeners.start(terms)])
    await first.close()
    await listeners.close()
    expect(close.mock.instances.length).toBe(2)
    close.mockRestore()
  })
})

interface Heard {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Listens for a responder whose requests are all in time and valid, unless it says otherwise. */
function listening(
  responder: Pick<Responder, 'deliver'> & Partial<Responder>,
  limits: ListenLimits = {},
): Promise<Listener> {
  const whole: Responder = {
    pause: () => expect.fail('nothing is late'),
    reject: () => expect.fail('there is nothing to reject'),
    report: (error) => expect.fail(String(error)),
    ...responder,
  }
  return Listener.start(whole, {
    host: '127.0.0.1',
    port: 0,
    limits: withDefaults(limits),
    hosts: undefined,
    tls: undefined,
  })
}

describe('Listener', () => {
  let local: LocalTableService
  let listener: LocalListener

  beforeEach(async () => {
    local = localTableService({ accounts: [{ name: ACCOUNT, key: KEY }] })
    listener = await local.listen({ port: 0 })
  })

  afterEach(() => local.close())

  const signed = (path: string) => {
    const date = new Date().toUTCString()
    const resource = `/${ACCOUNT}${path}`
    return {
      'x-ms-date': date,
      authorization: `SharedKeyLite ${ACCOUNT}:${sign(`${date}\n${resource}`)}`,
      accept: 'application/json;odata=nometadata',
    }
  }

  const hear = (
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ) =>
    new Promise<Heard>((resolve, reject) => {
      const target = path.replace(/\?.*$/s, '')
      const message = httpRequest(
        {
          port: listener.port,
          method,
          path,
          headers: {
            ...signed(target),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({
              status: response.statusCode,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      message.on('error', reject)
      message.end(body)
    })

  /** Sends bytes that may be invalid HTTP, and returns all bytes of the response. */
  const converse = (bytes: string | Buffer) =>
    new Promise<string>((resolve) => {
      const socket = connect(listener.port, '127.0.0.1')
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(heard))
      socket.end(bytes)
    })

  const base = `/${ACCOUNT}`

  /** Writes the head of a request by hand. */
  const signedHead = (method: string, path: string, lines: string) => {
    const headers = Object.entries(signed(path)).map(([name, text]) => `${name}: ${text}`)
    return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.join('\r\n')}\r\n${lines}\r\n\r\n`
  }

  it('R-43: serves inserts and reads over HTTP', async () => {
    await hear('POST', `${base}/Tables`, { body: '{"TableName":"people"}' })
    const body = '{"PartitionKey":"Smith","RowKey":"Jürgen 😀","age":41}'
    const inserted = await hear('POST', `${base}/people`, {
      headers: { prefer: 'return-no-content', 'content-type': 'application/json' },
      body,
    })
    expect(inserted).toMatchObject({ status: 204, body: '', headers: { 'content-length': '0' } })
    expect(inserted.headers.location).toMatch(new RegExp(`^http://localhost:${listener.port}/`))
    const read = await hear('GET', new URL(inserted.headers.location as string).pathname)
    expect(read.status).toBe(200)
    expect(JSON.parse(read.body)).toMatchObject(JSON.parse(body))
    expect(read.headers.etag).toBe(inserted.headers.etag)
  })

  it('R-44: accepts MERGE and PATCH', async () => {
    await hear('POST', `${base}/Tables`, { body: '{"TableName":"people"}' })
    const path = `${base}/people(PartitionKey='a',RowKey='b')`
    for (const method of ['MERGE', 'PATCH']) {
      expect((await hear(method, path, { body: '{}' })).status).toBe(204)
    }
  })

  it('rejects on loopback a host name that a stranger may own, unless it is an option', async () => {
    const rebound = { headers: { host: 'tables.example.com' } }
    const refused = await hear('GET', `${base}/Tables`, rebound)
    expect(refused.status).toBe(400)
    expect(refused.body).toContain("'tables.example.com' is not a name of this listener")
    expect((await hear('OPTIONS', `${base}/Tables`, rebound)).status).toBe(400)
    await listener.close()
    listener = await local.listen({ port: 0, hosts: ['example.com'] })
    expect((await hear('GET', `${base}/Tables`, rebound)).status).toBe(200)
  })

  it('accepts any host name where other machines reach it, or only the names in the options', async () => {
    const named = { headers: { host: 'tables.example.com' } }
    await listener.close()
    listener = await local.listen({ port: 0, host: '0.0.0.0' })
    expect((await hear('GET', `${base}/Tables`, named)).status).toBe(200)
    await listener.close()
    listener = await local.listen({ port: 0, host: '0.0.0.0', hosts: ['other.example.com'] })
    expect((await hear('GET', `${base}/Tables`, named)).status).toBe(400)
    await expect(local.listen({ port: 0, hosts: ['http://x'] })).rejects.toThrow(InputError)
  })

  it('reads all of very many headers, so that an update never becomes an upsert', async () => {
    await hear('POST', `${base}/Tables`, { body: '{"TableName":"people"}' })
    const path = `${base}/people(PartitionKey='a',RowKey='b')`
    const many = Array.from({ length: 2500 }, (_, at): [string, string] => [`x${at}`, ''])
    const headers = { ...Object.fromEntries(many), 'if-match': '*' }
    expect((await hear('PUT', path, { headers, body: '{}' })).status).toBe(404)
  })

  it('shares its tables with the in-process transport, and keeps them when it closes', async () => {
    await hear('POST', `${base}/Tables`, { body: '{"TableName":"people"}' })
    await listener.close()
    listener = await local.listen({ port: 0 })
    expect((await hear('GET', `${base}/Tables`)).body).toBe('{"value":[{"TableName":"people"}]}')
  })

  it('rejects a body over 4 MiB without keeping it, and continues to serve', async () => {
    const path = `${base}/Tables`
    const large = await hear('POST', path, { body: Buffer.alloc(5 * 2 ** 20, 'a') })
    expect(large.status).toBe(413)
    expect(JSON.parse(large.body)['odata.error'].code).toBe('RequestBodyTooLarge')
    expect((await hear('GET', path)).status).toBe(200)
  })

  it.each([
    ['Content-Length: 99999999999', ''],
    ['Transfer-Encoding: chunked', `500000\r\n${'a'.repeat(5 * 2 ** 20)}`],
    ['Content-Length: 5242880\r\nExpect: 100-continue', ''],
  ])('rejects a body over 4 MiB before it has arrived: %s', async (length, body) => {
    const socket = connect(listener.port, '127.0.0.1')
    socket.write(`${signedHead('POST', `${base}/Tables`, length)}${body}`)
    let heard = ''
    for await (const chunk of socket) heard += chunk
    expect(heard).toMatch(/^HTTP\/1\.1 413 .*connection: close.*RequestBodyTooLarge/is)
  })

  it.each(['Content-Length: 4194303', 'Content-Length: 9\r\nExpect: 100-continue'])(
    'rejects a stranger before the body has arrived: %s',
    async (length) => {
      const socket = connect(listener.port, '127.0.0.1')
      socket.write(`POST ${base}/Tables HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n{`)
      let heard = ''
      for await (const chunk of socket) heard += chunk
      expect(heard).toMatch(/^HTTP\/1\.1 403 .*connection: close.*AuthenticationFailed/is)
    },
  )

  it('rejects a write that a signature does not allow before its body has arrived', async () => {
    await hear('POST', `${base}/Tables`, { body: '{"TableName":"people"}' })
    const fields = { sv: '2019-02-02', tn: 'people', sp: 'r', se: '2099-01-01T00:00:00Z' }
    const text = `r\n\n${fields.se}\n/table/${ACCOUNT}/people\n\n\n\n${fields.sv}\n\n\n\n`
    const query = new URLSearchParams({ ...fields, sig: sign(text) })
    const socket = connect(listener.port, '127.0.0.1')
    socket.write(
      `POST ${base}/people?${query} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194303\r\n\r\n{`,
    )
    let heard = ''
    for await (const chunk of socket) heard += chunk
    expect(heard).toMatch(/^HTTP\/1\.1 403 .*AuthorizationPermissionMismatch/is)
  })

  it('cuts off a body without end', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'a')
    const head =
      'POST /contoso/Tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n'
    await converse(Buffer.concat([Buffer.from(head), ...Array(66).fill(chunk)]))
    expect((await hear('GET', `${base}/Tables`)).status).toBe(200)
  })

  it('rejects a body that is not UTF-8', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x7d])
    expect((await hear('POST', `${base}/Tables`, { body })).status).toBe(400)
  })

  it.each([
    ['GET / HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 400 .*HostInformationNotPresent/s],
    ['POST /contoso/Tables HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 411 /],
    ['PROPFIND /contoso HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 405 /],
    ['GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'GET /%00%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 .*Invalid URL/s,
    ],
    ['GET /%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 403 /],
    [
      'GET http://a/contoso/Tables HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 403 /,
    ],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 .*HostInformationNotPresent/s],
    ['nonsense\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['\u0000\u0001\u0002', /^HTTP\/1\.1 400 /],
    [`GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, /^HTTP\/1\.1 431 /],
    ['', /^$/],
    [
      'GET /contoso/Tables HTTP/1.1\r\nHost: a\r\nHOST: b\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 .*InvalidHeaderValue.*more than one Host header/s,
    ],
    [
      'POST /contoso/Tables HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
      /^HTTP\/1\.1 415 .*MediaTypeNotSupported.*Content-Encoding 'gzip'/s,
    ],
    [
      'POST /contoso/Tables HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      /^HTTP\/1\.1 501 .*NotImplemented.*Transfer-Encoding 'gzip, chunked'/s,
    ],
    [
      'POST /contoso/Tables HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4194305\r\n\r\n',
      /^HTTP\/1\.1 413 .*Connection: close.*RequestBodyTooLarge/is,
    ],
    [
      'POST /contoso/Tables HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
      /^HTTP\/1\.1 403 /,
    ],
    [
      'PROPFIND /contoso HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
      /^HTTP\/1\.1 405 /,
    ],
  ])('responds to raw bytes (%#)', async (bytes, expected) => {
    expect(await converse(bytes)).toMatch(expected)
    expect((await hear('GET', `${base}/Tables`)).status).toBe(200)
  })

  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a head that is too long', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n\r\n`, 431],
    [
      'a broken body',
      `POST ${base} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n`,
      400,
    ],
  ])('sends the responses to requests before %s', async (_, broken, status) => {
    const body = '{"TableName":"people"}'
    const headers = {
      ...signed(`${base}/Tables`),
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const create = `POST ${base}/Tables HTTP/1.1\r\n${lines.join('')}\r\n${body}`
    const heard = await converse(`${create}${create}${broken}`)
    const statuses = Array.from(heard.matchAll(/HTTP\/1\.1 (\d+) /g), ([, code]) => Number(code))
    expect(statuses).toEqual([201, 409, status])
  })

  it('sends 100 Continue when it is about to read a body', async () => {
    const length = 'Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close'
    const heard = await converse(`${signedHead('POST', `${base}/Tables`, length)}{}`)
    expect(heard).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 415 /)
  })

  it('ignores a client that goes away in the middle of its request', async () => {
    await converse(`${signedHead('POST', `${base}/Tables`, 'Content-Length: 50')}{"Tab`)
    expect((await hear('GET', `${base}/Tables`)).status).toBe(200)
  })

  it('reports the error of a response that it cannot send, and closes the connection', async () => {
    await local.close()
    const reported: unknown[] = []
    local = localTableService({
      accounts: [{ name: ACCOUNT, key: KEY }],
      newId: () => '漢',
      onInternalError: (error) => reported.push(error),
    })
    listener = await local.listen({ port: 0 })
    expect(await converse('GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('')
    expect(reported).toMatchObject([{ code: 'ERR_INVALID_CHAR' }])
    await converse(`${signedHead('POST', `${base}/Tables`, 'Content-Length: 50')}{"Tab`)
    expect(reported).toHaveLength(1)
  })

  it.each([
    ['say nothing', ''],
    ['stop in the middle', 'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{'],
  ])('frees its port at once although clients keep connections open and %s', async (_, bytes) => {
    const idle = connect(listener.port, '127.0.0.1')
    idle.on('error', () => {})
    await new Promise((resolve) => idle.once('connect', resolve))
    await new Promise((resolve) => idle.write(`${bytes}`, resolve))
    const closed = new Promise((resolve) => idle.once('close', resolve))
    await listener.close()
    await closed
  })

  describe('with limits', () => {
    const listenWith = async (limits: ListenLimits) => {
      await listener.close()
      listener = await local.listen({ port: 0, limits })
    }

    it.each([
      ['head', () => 'GET / HT'],
      ['body', () => `${signedHead('POST', `${base}/Tables`, 'Content-Length: 50')}{`],
    ])('responds 408 to a client that does not complete its %s', async (_, begun) => {
      await listenWith({ requestTimeout: 50 })
      const heard = await new Promise<string>((resolve) => {
        const socket = connect(listener.port, '127.0.0.1')
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(text))
        socket.write(begun())
      })
      expect(heard).toMatch(/^HTTP\/1\.1 408 /)
      expect((await hear('GET', `${base}/Tables`)).status).toBe(200)
    })

    it('accepts a write while strangers begin bodies that would fill its memory', async () => {
      await listenWith({ bufferedBytes: 2 ** 20 })
      const begun = Buffer.concat([
        Buffer.from(`POST ${base}/Tables HTTP/1.1\r\nHost: a\r\nContent-Length: 700000\r\n\r\n`),
        Buffer.alloc(699_999, ' '),
      ])
      const strangers = Array.from({ length: 3 }, () => connect(listener.port, '127.0.0.1'))
      for (const stranger of strangers) {
        stranger.on('error', () => {}).write(begun)
        await once(stranger, 'data')
      }
      const body = '{"TableName":"people"}'
      expect((await hear('POST', `${base}/Tables`, { body })).status).toBe(201)
      for (const stranger of strangers) stranger.destroy()
    })

    it('responds 503 to a body that does not fit, and accepts the next', async () => {
      await listenWith({ bufferedBytes: 40 })
      const large = await hear('POST', `${base}/Tables`, {
        body: `{"TableName":"people"${' '.repeat(40)}}`,
      })
      expect([large.status, JSON.parse(large.body)['odata.error'].code]).toEqual([
        503,
        'ServerBusy',
      ])
      expect(
        (await hear('POST', `${base}/Tables`, { body: '{"TableName":"people"}' })).status,
      ).toBe(201)
    })

    it('holds no response for a client that goes away before it is ready', async () => {
      const isAsked = deferred<void>()
      const isReady = deferred<void>()
      const small = await listening(
        {
          deliver: async ({ path }, { hasRoom, isGone }) => {
            if (path === '/slow') {
              isAsked.resolve()
              await vi.waitUntil(() => isGone?.())
            }
            const status = hasRoom?.(30) ? 200 : 503
            if (path === '/slow') isReady.resolve()
            return { kind: 'whole', response: { status, headers: {}, body: 'x'.repeat(30) } }
          },
        },
        { bufferedBytes: 40 },
      )
      const socket = connect(small.port, '127.0.0.1')
      socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
      await isAsked.promise
      socket.resetAndDestroy()
      await isReady.promise
      expect((await fetch(`http://127.0.0.1:${small.port}/`)).status).toBe(200)
      await small.close()
    })

    /** Writes a page of 16 MiB, more than the system buffers for a connection. */
    const fillPage = async () => {
      const { transport } = local
      const service = tableService({ connectionString: local.connectionString(), transport })
      await perform(service, createTable, { table: 'people' })
      const text = 'x'.repeat(32_000)
      const texts = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`p${at}`, text]))
      for (let at = 0; at < 36; at += 1) {
        const key = { partitionKey: 'a', rowKey: String(at) }
        const body = JSON.stringify({ PartitionKey: 'a', RowKey: String(at), ...texts })
        await perform(service, insertEntity, { table: 'people', key, body })
      }
    }

    /** Sends GET requests on a connection that reads nothing. */
    const askWithoutReading = async (path: string, times = 1) => {
      const socket = connect(listener.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.pause()
      const { authorization, accept, ...date } = signed(path)
      const head = `Host: a\r\nAccept: ${accept}\r\nAuthorization: ${authorization}\r\nx-ms-date: ${date['x-ms-date']}`
      socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`.repeat(times))
      return socket
    }

    longTest('holds no more unread pages than its limit allows', async () => {
      await fillPage()
      await listenWith({ bufferedBytes: 20 * 2 ** 20 })
      const people = `${base}/people()`
      local.requests.clear()
      const socket = await askWithoutReading(people)
      await vi.waitFor(() => expect(local.requests.entries()[0]?.status).toBe(200))
      const refused = await hear('GET', people)
      expect([refused.status, JSON.parse(refused.body)['odata.error'].code]).toEqual([
        503,
        'ServerBusy',
      ])
      expect(local.requests.entries()[1]).toMatchObject({ status: 503, errorCode: 'ServerBusy' })
      expect((await hear('GET', `${base}/Tables`)).status).toBe(200)
      socket.destroy()
      await vi.waitFor(async () => expect((await hear('GET', people)).status).toBe(200))
    })

    it('serves one request of a connection at a time, however many are pipelined', async () => {
      await fillPage()
      local.requests.clear()
      const socket = await askWithoutReading(`${base}/people()`, 20)
      await vi.waitFor(() => expect(local.requests.entries()[0]?.status).toBe(200))
      for (let count = 0; count < 5; count += 1) await hear('GET', `${base}/Tables`)
      const operations = local.requests.entries().map(({ operation }) => operation)
      expect(operations).toEqual(['queryEntities', ...Array(5).fill('queryTables')])
      socket.destroy()
    })

    longTest.each([
      ['does not read', () => {}],
      ['reads too slowly', (socket: Socket) => setInterval(() => socket.read(1), 20).unref()],
    ])('cuts off a client that %s its response, and continues to serve', async (_, read) => {
      await fillPage()
      await listenWith({ requestTimeout: 250 })
      const socket = await askWithoutReading(`${base}/people()`)
      read(socket)
      await isCutOff(socket)
      expect((await hear('GET', `${base}/Tables`)).status).toBe(200)
    })

    it('accepts as many connections as its limit', async () => {
      await listenWith({ connections: 1 })
      const first = connect(listener.port, '127.0.0.1')
      await new Promise((resolve) => first.once('connect', resolve))
      expect(await converse('GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('')
      const gone = new Promise((resolve) => first.once('close', resolve))
      first.destroy()
      await gone
    })

    it('rejects invalid limits', async () => {
      await expect(local.listen({ port: 0, limits: { connections: 0 } })).rejects.toThrow(
        InputError,
      )
    })
  })

  it('delays a response for longer than a client may take to read one', async () => {
    const isHeldBack = deferred<void>()
    const isCut = deferred<void>()
    const large = 'x'.repeat(32 * 1024 * 1024)
    const stuck = await listening(
      {
        deliver: async ({ path }) => {
          const body = path === '/large' ? large : 'late'
          const response = { status: 200, headers: {}, body }
          return path === '/large'
            ? { kind: 'whole', response }
            : { kind: 'late', response, delay: 60_000 }
        },
        pause: () => {
          isHeldBack.resolve()
          return isCut.promise
        },
      },
      { requestTimeout: 50 },
    )
    const ask = () => fetch(`http://127.0.0.1:${stuck.port}/late`)
    // The service cuts off a request that a busy machine sends too slowly.
    const isRead = (response: Promise<Response>) =>
      Promise.race([
        isHeldBack.promise.then(() => true),
        response.then(() => false).catch(() => false),
      ])
    let late = ask()
    while (!(await isRead(late))) late = ask()
    const reader = connect(stuck.port, '127.0.0.1')
    reader.on('error', () => {})
    reader.pause()
    reader.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await isCutOff(reader)
    isCut.resolve()
    expect(await (await late).text()).toBe('late')
    await stuck.close()
  })

  it.each<[InjectedFault, RegExp]>([
    [{ kind: 'truncated body', after: 1 }, /^HTTP.*\{"value":\[\]\}HTTP.*\r\n\{$/s],
    [{ kind: 'lost response', connection: 'closed' }, /^HTTP.*\{"value":\[\]\}$/s],
  ])('sends the response before one that is broken by %o', async (fault, expected) => {
    local.faults.add({ fault, nth: 2 })
    const path = `${base}/Tables`
    const head = Object.entries({ host: 'a', ...signed(path) }).map((pair) => pair.join(': '))
    const request = `GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`
    const text = await new Promise<string>((resolve) => {
      const socket = connect(listener.port, '127.0.0.1')
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(received))
      socket.write(request.repeat(3))
    })
    expect(text).toMatch(expected)
    expect(local.requests.count).toBe(2)
  })

  it('sends pending responses before it closes', async () => {
    const asked = deferred<void>()
    const response = deferred<HttpResponse>()
    const slow = await listening({
      deliver: async () => {
        asked.resolve()
        return { kind: 'whole', response: await response.promise }
      },
    })
    const sent = fetch(`http://127.0.0.1:${slow.port}/`)
    await asked.promise
    const closed = Promise.all([slow.close(), slow.close()])
    response.resolve({ status: 200, headers: {}, body: 'late' })
    expect(await (await sent).text()).toBe('late')
    await closed
  })

  it('sends a response to its end before it closes, however slowly it is read', async () => {
    const body = 'x'.repeat(32 * 1024 * 1024)
    const large = await listening({
      deliver: async () => ({ kind: 'whole', response: { status: 200, headers: {}, body } }),
    })
    const idle = connect(large.port, '127.0.0.1')
    await once(idle, 'connect')
    const reader = connect(large.port, '127.0.0.1')
    reader.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    let read = 0
    reader.on('data', (chunk: Buffer) => {
      read += chunk.length
    })
    await once(reader, 'data')
    reader.pause()
    const closed = large.close()
    await once(idle, 'close')
    reader.resume()
    await Promise.all([closed, once(reader, 'close')])
    expect(read).toBeGreaterThan(body.length)
  })

  it('serves no requests after close is called', async () => {
    const asked = deferred<void>()
    const response = deferred<HttpResponse>()
    let count = 0
    const slow = await listening({
      deliver: async () => {
        count += 1
        asked.resolve()
        return { kind: 'whole', response: await response.promise }
      },
    })
    const { port } = slow
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {})
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await asked.promise
    const closed = slow.close()
    await new Promise<void>((resolve) => {
      client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n', () => resolve())
    })
    // The listener has read the second request before it rejects another connection.
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow(TypeError)
    response.resolve({ status: 200, headers: {}, body: '' })
    await closed
    expect(count).toBe(1)
  })
})

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/**
 * Resolves when the other side has closed the connection. A client that does not read notices this
 * only when it writes.
 */
async function isCutOff(socket: Socket): Promise<void> {
  const writing = setInterval(() => socket.write('\r\n'), 10)
  await new Promise((resolve) => socket.on('close', resolve))
  clearInterval(writing)
}

describe('/_health', () => {
  it('answers 200 without a credential, leaves no trace in the log, and takes no account its name', async () => {
    const local = localTableService()
    const { port } = await local.listen({ port: 0 })
    const url = `http://127.0.0.1:${port}/_health`
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([200, 'ok'])
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(url, { method: 'POST', body: '' })).status).not.toBe(200)
    expect(local.requests.entries().filter(({ method }) => method === 'GET')).toEqual([])
    await local.close()
  })
})
