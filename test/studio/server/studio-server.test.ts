import { EventEmitter, once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect, DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPageFile } from '../../../packages/studio/src/server/page-files.ts'
import { RowTypes } from '../../../packages/studio/src/server/row-types.ts'
import { listen } from '../../../packages/studio/src/server/studio-server.ts'
import { type OpenStudio, openStudio } from '../open-studio.ts'

let studio: OpenStudio

beforeAll(async () => {
  studio = await openStudio()
  const people = studio.tables.account.table('people')
  await people.create()
  await people.insert(new DynamicEntity('Smith', 'Jeff', { age: 30 }))
})
afterAll(() => studio[Symbol.asyncDispose]())

const SETTINGS = {
  types: new RowTypes(),
  folder: '/nonexistent',
  facts: { account: '', place: '', target: [], isWritable: false },
  random: () => 'x',
}

const token = (text: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ token: text }),
})

describe('the way in', () => {
  it('is a token behind the # of the address, which no server and no log sees', () => {
    expect(studio.url.hash).toBe('#token=secret-2')
    expect(studio.url.host).toBe(`127.0.0.1:${studio.port}`)
    expect([studio.url.pathname, studio.url.search]).toEqual(['/', ''])
  })

  it('exchanges the token once, for a cookie that scripts cannot read', async () => {
    expect((await studio.send('/api/session', token('wrong'))).status).toBe(403)
    const first = await studio.send('/api/session', token('secret-2'))
    expect(first.status).toBe(204)
    expect(first.headers['set-cookie']).toEqual([
      `${studio.cookie}; Path=/; HttpOnly; SameSite=Strict`,
    ])
    const second = await studio.send('/api/session', token('secret-2'))
    expect([second.status, second.headers['set-cookie']]).toEqual([403, undefined])
    expect(JSON.parse(second.text).error.code).toBe('UsedToken')
  })

  it.each([
    ['no cookie', ''],
    ['a wrong cookie', 'rowkey-studio-0=secret-1'],
    ['an empty cookie', 'rowkey-studio-PORT='],
    ['the token as a cookie', 'rowkey-studio-PORT=secret-2'],
  ])('is closed with %s', async (_, text) => {
    const cookie = text.replace('PORT', String(studio.port))
    const { status, text: body } = await studio.send('/api/tables', { headers: { cookie } })
    expect([status, JSON.parse(body).error.code]).toEqual([401, 'NoSession'])
    expect(body).not.toContain('people')
  })

  it('is open with the cookie, among others', async () => {
    const cookie = `other=1; ${studio.cookie}; more=2`
    const { text } = await studio.send('/api/tables', { headers: { cookie } })
    expect(JSON.parse(text)).toEqual({ tables: ['people'] })
  })
})

describe('a request', () => {
  it.each([
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['127.0.0.1:1', 403],
    ['localhost:PORT', 200],
  ])('to the host %s has the status %i', async (name, status) => {
    const host = name.replace('PORT', String(studio.port))
    const headers = { host, cookie: studio.cookie }
    expect((await studio.send('/api/tables', { headers })).status).toBe(status)
    expect((await studio.send('/', { headers })).status).toBe(status)
  })

  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://127.0.0.1:1' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
  ])('for data with %j has the status %i', async (more, status) => {
    const headers = { ...more, cookie: studio.cookie }
    expect((await studio.send('/api/tables', { headers })).status).toBe(status)
  })

  it('for a view gets the page without a cookie, so that a link from elsewhere works', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/', '/devstoreaccount1/people?filter=age%20gt%2030']) {
      const { status, text } = await studio.send(path, { headers })
      expect([status, text]).toEqual([200, 'the file index.html'])
    }
  })

  it.each([
    ['/studio.js', 'text/javascript; charset=utf-8', 'the file studio.js'],
    ['/studio.css', 'text/css; charset=utf-8', 'the file studio.css'],
    ['/icon.svg', 'image/svg+xml', 'the file icon.svg'],
    ['/../../package.json', 'text/html; charset=utf-8', 'the file index.html'],
    ['/constructor', 'text/html; charset=utf-8', 'the file index.html'],
  ])('for %s gets %s', async (path, type, body) => {
    const { headers, text } = await studio.send(path)
    expect([headers['content-type'], text]).toEqual([type, body])
  })

  it('has a response that loads nothing from elsewhere and that no page frames', async () => {
    const cookie = studio.cookie
    for (const path of ['/', '/api/tables', '/api/unknown']) {
      const { headers } = await studio.send(path, { headers: { cookie } })
      const policy = headers['content-security-policy']
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it.each([
    ['POST', '/', 405],
    ['GET', '/api/unknown', 404],
    ['GET', '/api/constructor', 404],
    ['DELETE', '/api/tables', 404],
    ['POST', '/api/edit', 403],
    ['POST', '/api/insert', 403],
    ['POST', '/api/delete', 403],
  ])('%s %s has the status %i in a studio that changes nothing', async (method, path, status) => {
    const headers = { cookie: studio.cookie }
    expect((await studio.send(path, { method, headers })).status).toBe(status)
  })
})

it.each([
  ['/api/edit', 8 * 1024 * 1024, 401],
  ['/api/session', 2_000, 413],
])('a stranger gets the response of %s before a body of %i bytes', async (path, size, status) => {
  const socket = connectTcp(studio.port, '127.0.0.1')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${size}\r\n\r\n${'x'.repeat(1_500)}`,
  )
  const [response] = await once(socket, 'data')
  expect(String(response)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  await once(socket, 'close')
})

describe('behind a tunnel or a proxy', () => {
  const reached = async (address: string) => {
    const publicUrl = new URL(address)
    const behind = await openStudio({ publicUrl })
    const { host, origin, pathname } = publicUrl
    const ask = (path: string, headers: object = {}) =>
      behind.send(path, { headers: { host, cookie: behind.cookie, ...headers } })
    return {
      behind,
      host,
      origin,
      pathname,
      ask,
      [Symbol.asyncDispose]: behind[Symbol.asyncDispose],
    }
  }

  it('it is reached at the address that --public-url names, and nowhere else', async () => {
    await using tunnel = await reached('http://localhost:8080/')
    const { behind, ask, origin } = tunnel
    expect(behind.url.href).toBe('http://localhost:8080/#token=secret-2')
    expect((await ask('/api/tables')).status).toBe(200)
    expect((await ask('/api/tables', { origin })).status).toBe(200)
    for (const headers of [
      { origin: 'http://localhost:8081' },
      { origin: `http://127.0.0.1:${behind.port}` },
      { host: 'localhost:8081' },
      { host: 'evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { cookie: '' },
    ]) {
      expect((await ask('/api/tables', headers)).status).toBeGreaterThan(400)
    }
  })

  it.each(['/tables/api/tables', '/api/tables'])(
    'it is reached below a path, whether the proxy removes it or not: %s',
    async (path) => {
      await using proxy = await reached('https://tools.example/tables/')
      const { behind, ask, host, origin } = proxy
      expect((await ask(path, { origin })).status).toBe(200)
      const session = await behind.send('/tables/api/session', {
        ...token('secret-2'),
        headers: { host, 'content-type': 'application/json' },
      })
      expect(session.headers['set-cookie']).toEqual([
        `${behind.cookie}; Path=/tables/; Secure; HttpOnly; SameSite=Strict`,
      ])
    },
  )
})

it('the page names its files below the path of the studio', async () => {
  const folder = new URL('../../../packages/studio/page/', import.meta.url).pathname
  const { body } = await readPageFile('/account/people', folder, '/tables/')
  const page = Buffer.from(body).toString()
  expect(page).toContain('data-base="/tables/"')
  expect(page).toContain('src="/tables/studio.js"')
  expect(page).not.toMatch(/="\/(?!tables\/)/)
})

it('never shows the credential of the account', async () => {
  const key = /AccountKey=([^;]+)/.exec(studio.tables.target)?.[1] ?? ''
  expect(key.length).toBeGreaterThan(20)
  const headers = { cookie: studio.cookie }
  const paths = ['studio', 'tables', 'rows?table=people&size=9', 'rows?table=missing&size=9']
  for (const path of paths) {
    const response = await studio.send(`/api/${path}`, { headers })
    expect(JSON.stringify(response)).not.toContain(key.slice(0, 12))
  }
})

it('cancels its pending requests when it closes', async () => {
  const events = new EventEmitter()
  const cancelled = once(events, 'cancelled')
  const asked = once(events, 'asked')
  const account = connect(studio.tables.target, {
    transport: (_, limits) => {
      const signal = limits?.signal
      events.emit('asked')
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          events.emit('cancelled', signal.reason)
          reject(signal.reason)
        })
      })
    },
  })
  const other = await listen({ ...SETTINGS, account, port: 0 })
  const { port } = new URL(other.url)
  const cookie = `rowkey-studio-${port}=x`
  const pending = fetch(`http://127.0.0.1:${port}/api/tables`, { headers: { cookie } })
  await asked
  await other.close()
  expect(await cancelled).toEqual([expect.any(Error)])
  await expect(pending).rejects.toThrow()
  await account.close()
})

it('names the port that it cannot have', async () => {
  const { account } = studio.tables
  await expect(listen({ ...SETTINGS, account, port: studio.port })).rejects.toMatchObject({
    code: 'PortTaken',
    message: `The studio cannot listen on port ${studio.port} (EADDRINUSE). Give another --port; 0 selects a free one.`,
  })
})
