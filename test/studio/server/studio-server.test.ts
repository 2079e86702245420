import { EventEmitter, once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect, DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

describe('a request', () => {
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
