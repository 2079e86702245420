import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { connect } from 'rowkey'
import { Customer } from '../shared/customer.ts'

/** The file that is deployed. */
const bundle: typeof import('./handler.ts') = createRequire(import.meta.url)('./handler.cjs')

async function invoke(id: string, headers: Record<string, string> = {}) {
  const event = {
    pathParameters: { country: 'CH', id },
    headers,
  } as Partial<APIGatewayProxyEventV2>
  const result = bundle.handler(event as APIGatewayProxyEventV2, {} as Context, () => {})
  return (await result) as APIGatewayProxyStructuredResultV2
}

test('the handler reads a customer', async () => {
  await using account = connect(process.env.TABLES ?? '')
  const customers = account.table(Customer)
  await customers.create()
  const { etag = '' } = await customers.insert({ country: 'CH', id: 'ann', points: 2n ** 60n })
  const { statusCode, body = '', headers } = await invoke('ann')
  assert.equal(statusCode, 200)
  assert.equal(JSON.parse(body).points, '1152921504606846976')
  assert.equal(headers?.etag, etag)
  for (const known of [
    etag,
    etag.replace('W/', ''),
    `"other", ${etag}`,
    `${etag},W/"other"`,
    '*',
  ]) {
    assert.equal((await invoke('ann', { 'if-none-match': known })).statusCode, 304, known)
  }
  assert.equal((await invoke('ann', { 'if-none-match': '"other", W/"*"' })).statusCode, 200)
  assert.equal((await invoke('bob')).statusCode, 404)
  assert.equal((await invoke('a/b')).statusCode, 400)
})
