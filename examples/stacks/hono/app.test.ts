import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { type LocalListener, startLocalService } from '@rowkey/local'
import { connect } from 'rowkey'
import { Customer } from '../shared/customer.ts'

/** The path of the runtime. */
const workerd: string = createRequire(import.meta.url)('workerd').default
let service: LocalListener
let runtime: ChildProcess
let url = ''

before(async () => {
  service = await startLocalService({ port: 0 })
  await using account = connect(service.connectionString)
  await account.table(Customer).create()
  // It writes the ports that it listens on to file descriptor 3.
  runtime = spawn(workerd, ['serve', '--control-fd=3', 'hono/workerd.capnp'], {
    env: { ...process.env, TABLES: service.connectionString },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const [line] = await once(runtime.stdio[3]!, 'data')
  url = `http://127.0.0.1:${JSON.parse(String(line)).port}/customers`
})
after(async () => {
  runtime.kill()
  await service.close()
})

const send = (method: string, path: string, body?: string, headers?: Record<string, string>) =>
  fetch(url + path, { method, ...(body && { body }), ...(headers && { headers }) })

test('a worker stores and reads customers', async () => {
  const ann = JSON.stringify({ country: 'CH', id: 'ann', points: '9007199254740993' })
  assert.equal((await send('POST', '', ann)).status, 201)
  assert.equal((await send('POST', '', ann)).status, 409)
  const read = await send('GET', '/CH/ann')
  assert.equal((await read.json()).points, '9007199254740993')
  const etag = read.headers.get('etag') ?? ''
  assert.equal((await send('GET', '/CH/ann', undefined, { 'if-none-match': etag })).status, 304)
  assert.equal((await send('PUT', '/CH/ann', '{}')).status, 428)
  assert.equal((await send('PUT', '/CH/ann', '{"name":"Ann"}', { 'if-match': etag })).status, 200)
  assert.equal((await send('PUT', '/CH/ann', '{"name":"Bob"}', { 'if-match': etag })).status, 412)
})

test('a worker rejects invalid requests', async () => {
  assert.equal((await send('GET', '/CH/unknown')).status, 404)
  assert.equal((await send('POST', '', '{')).status, 400)
  assert.equal((await send('POST', '', '{"country":"CH","id":"bob","points":1.5}')).status, 400)
  assert.equal((await send('GET', '/CH')).status, 404)
})
