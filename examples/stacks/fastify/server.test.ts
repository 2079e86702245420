import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { connect } from 'rowkey'
import { customerServer } from './server.ts'

let server: FastifyInstance
let url = ''

before(async () => {
  server = customerServer(connect('memory:'))
  url = await server.listen({ port: 0 })
  for (const id of ['1', '2', '3']) await send('POST', '/customers', { country: 'CH', id })
})
after(() => server.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  /** What the tests look at: a customer, a page or a problem. */
  readonly json: {
    readonly points?: string
    readonly items?: readonly { readonly id: string }[]
    readonly next?: string
    readonly title?: string
    readonly detail?: string
  }
}

async function send(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const content =
    body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(url + path, { method, ...content })
  const { status, headers: received } = response
  return { status, headers: received, json: JSON.parse((await response.text()) || '{}') }
}

const idsOf = ({ json }: Answer) => json.items?.map(({ id }) => id)

test('a POST stores a customer with all digits of its numbers', async () => {
  const ann = { country: 'DE', id: 'ann', name: 'Ann', points: '9007199254740993' }
  const created = await send('POST', '/customers', ann)
  assert.equal(created.status, 201)
  assert.equal(created.headers.get('location'), '/customers/DE/ann')
  const { json } = await send('GET', '/customers/DE/ann')
  assert.equal(json.points, '9007199254740993')
  assert.equal((await send('POST', '/customers', ann)).status, 409)
})

test('a POST of an invalid customer says what is wrong', async () => {
  const { status, json } = await send('POST', '/customers', {
    country: 'DE',
    id: 'bob',
    points: 1.5,
  })
  assert.equal(status, 400)
  assert.match(json.detail ?? '', /Customer\.points/)
  assert.equal((await send('POST', '/customers', { country: 'DE', id: 'a/b' })).status, 400)
  assert.equal((await send('POST', '/customers', { country: 'DE' })).status, 400)
  assert.equal(
    (await send('POST', '/customers', { country: 'DE', id: 'x', admin: true })).status,
    400,
  )
})

test('pages are linked by tokens', async () => {
  const first = await send('GET', '/customers/CH?size=2')
  assert.deepEqual(idsOf(first), ['1', '2'])
  const second = await send('GET', `/customers/CH?size=2&token=${first.json.next}`)
  assert.deepEqual(idsOf(second), ['3'])
  assert.equal(second.json.next, undefined)
  assert.equal((await send('GET', `/customers/DE?token=${first.json.next}`)).status, 400)
  assert.equal((await send('GET', '/customers/CH?token=%20')).status, 400)
  assert.equal((await send('GET', '/customers/CH?size=1000')).status, 400)
})

test('a GET with the ETag of the caller is a 304 until the customer changes', async () => {
  const path = '/customers/CH/1'
  const etag = (await send('GET', path)).headers.get('etag') ?? ''
  assert.equal((await send('GET', path, undefined, { 'if-none-match': etag })).status, 304)
  assert.equal((await send('PUT', path, { name: 'Cho' }, { 'if-match': etag })).status, 200)
  assert.equal((await send('GET', path, undefined, { 'if-none-match': etag })).status, 200)
})

test('writes need the latest ETag', async () => {
  const path = '/customers/CH/2'
  const etag = (await send('GET', path)).headers.get('etag') ?? ''
  assert.equal((await send('PUT', path, { name: 'Ann' })).status, 428)
  const changed = await send('PUT', path, { name: 'Ann' }, { 'if-match': etag })
  assert.equal(changed.status, 200)
  assert.equal((await send('PUT', path, { name: 'Bob' }, { 'if-match': etag })).status, 412)
  assert.equal((await send('DELETE', path, undefined, { 'if-match': etag })).status, 412)
  const latest = changed.headers.get('etag') ?? ''
  assert.equal((await send('DELETE', path, undefined, { 'if-match': latest })).status, 204)
  assert.deepEqual((await send('GET', path)).json, { status: 404, title: 'Not Found' })
})

test('SIGTERM ends the program', async () => {
  const program = spawn(process.execPath, [new URL('main.js', import.meta.url).pathname], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [address] = await once(program.stdout, 'data')
  assert.equal((await fetch(`${String(address).trim()}/customers/CH`)).status, 200)
  program.kill('SIGTERM')
  assert.deepEqual(await once(program, 'exit'), [0, null])
})
