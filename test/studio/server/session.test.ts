import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenStudio, openStudio } from '../open-studio.ts'

let studio: OpenStudio

beforeAll(async () => {
  studio = await openStudio()
  await studio.tables.account.createTable('people')
})
afterAll(() => studio[Symbol.asyncDispose]())

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
