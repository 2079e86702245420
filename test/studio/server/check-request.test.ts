import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenStudio, openStudio } from '../open-studio.ts'

let studio: OpenStudio

beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio[Symbol.asyncDispose]())

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
        method: 'POST',
        body: JSON.stringify({ token: 'secret-2' }),
        headers: { host, 'content-type': 'application/json' },
      })
      expect(session.headers['set-cookie']).toEqual([
        `${behind.cookie}; Path=/tables/; Secure; HttpOnly; SameSite=Strict`,
      ])
    },
  )
})
