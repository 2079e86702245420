import 'reflect-metadata'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Account } from 'rowkey'
import { AppModule } from './app.module.ts'

let app: INestApplication
let url = ''

before(async () => {
  app = await NestFactory.create(AppModule, { logger: false })
  await app.listen(0, '127.0.0.1')
  url = `${await app.getUrl()}/customers`
})

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('a controller stores and reads customers', async () => {
  const ann = { country: 'CH', id: 'ann', points: '9007199254740993' }
  assert.equal((await send('POST', '', ann)).status, 201)
  assert.equal((await send('POST', '', ann)).status, 409)
  const read = await send('GET', '/CH/ann')
  assert.equal((await read.json()).points, '9007199254740993')
  const etag = read.headers.get('etag') ?? ''
  assert.equal(
    (
      await send('GET', '/CH/ann', undefined, {
        'if-none-match': etag,
        'cache-control': 'max-age=0', // otherwise `fetch` asks for an unconditional response
      })
    ).status,
    304,
  )
  assert.equal((await send('PUT', '/CH/ann', {})).status, 428)
  assert.equal((await send('PUT', '/CH/ann', { name: 'Ann' }, { 'if-match': etag })).status, 200)
  assert.equal((await send('PUT', '/CH/ann', { name: 'Bob' }, { 'if-match': etag })).status, 412)
  const { items } = await (await send('GET', '/CH')).json()
  assert.equal((await send('DELETE', '/CH/ann', {}, { 'if-match': items[0].etag })).status, 204)
})

test('a filter turns errors of the storage into problems', async () => {
  const missing = await send('GET', '/CH/unknown')
  assert.deepEqual(
    [missing.status, await missing.json()],
    [404, { status: 404, title: 'Not Found' }],
  )
  assert.equal((await send('GET', '/CH?token=x')).status, 400)
  assert.equal((await send('POST', '', { country: 'CH', id: 'bob', points: 1.5 })).status, 400)
})

test('the application closes its account', async () => {
  const account = app.get(Account)
  await app.close()
  await assert.rejects(account.table('customers').exists())
})
