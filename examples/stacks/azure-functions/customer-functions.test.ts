import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { connect } from 'rowkey'
import { Customer } from '../shared/customer.ts'

const require = createRequire(import.meta.url)
const {
  HttpRequest,
  InvocationContext,
}: typeof import('@azure/functions') = require('@azure/functions')
/** The file that is deployed. */
const {
  getCustomer,
  putCustomer,
}: typeof import('./customer-functions.ts') = require('./customer-functions.cjs')

const account = connect(process.env.TABLES ?? '')
const params = { country: 'CH', id: 'ann' }

const request = (method: string, headers: Record<string, string> = {}, text = '{}') =>
  new HttpRequest({
    method,
    url: 'http://localhost:7071/api/customers/CH/ann',
    params,
    headers,
    ...(method === 'GET' ? {} : { body: { string: text } }),
  })
const context = () => new InvocationContext({ functionName: 'customers', invocationId: '1' })

test('functions read and replace a customer', async () => {
  await account.table(Customer).createIfNotExists()
  assert.equal((await getCustomer(request('GET'), context())).status, 404)
  const { etag = '' } = await account.table(Customer).insert({ ...params, points: 2n ** 60n })
  const read = await getCustomer(request('GET'), context())
  assert.equal(JSON.parse(JSON.stringify(read.jsonBody)).points, '1152921504606846976')
  const strong = etag.replace('W/', '')
  for (const known of [etag, strong, `"other", ${etag}`, `${etag},W/"other"`, '*']) {
    const { status, headers } = await getCustomer(
      request('GET', { 'if-none-match': known }),
      context(),
    )
    assert.deepEqual([status, headers], [304, { etag }], known)
  }
  const others = await getCustomer(request('GET', { 'if-none-match': '"other", W/"*"' }), context())
  assert.equal(others.status, undefined)
  const condition = { 'if-match': etag }
  const put = (text: string, headers = {}) => putCustomer(request('PUT', headers, text), context())
  assert.equal((await put('{"name":"Ann"}')).status, 428)
  assert.equal((await put('{', condition)).status, 400)
  assert.equal((await put('{"points":0.5}', condition)).status, 400)
  assert.equal((await put('{"name":"Ann"}', condition)).status, undefined)
  assert.equal((await put('{"name":"Bob"}', condition)).status, 412)
  await account.close()
})
