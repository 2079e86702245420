/**
 * The floor, written by hand: the least that any client must do. One signature, one JSON each way,
 * undici's `pool.dispatch`; no retries, limits or checks.
 */
import { PAGE1K, PAGE10K, POINTS } from '../fixture.mjs'
import { readChangeSet, writeChangeSet } from '../floor/change-set.mjs'
import { readEntity, withTypes, writeEntity } from '../floor/entity-json.mjs'
import { openPool } from '../floor/exchange.mjs'
import { sharedKeyLite } from '../floor/shared-key-lite.mjs'

export const name = 'floor'

let pool
let base
let sign
let url
let input
let batches

export async function init({ endpoint, account, key, entities }) {
  const { origin, pathname } = new URL(endpoint)
  pool = openPool(origin)
  base = pathname
  url = `${endpoint}/${POINTS}`
  sign = sharedKeyLite(account, key)
  input = entities.map(withTypes)
  batches = Array.from({ length: 10 }, (_, i) => input.slice(i * 100, i * 100 + 100))
}

async function send(method, path, expected, { query = '', body, headers = [] } = {}) {
  const answer = await pool.exchange(method, path + query, [...sign(path), ...headers], body)
  if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status}`)
  return answer
}

const quoted = (key) => encodeURIComponent(key.replaceAll("'", "''"))

const pathOf = ({ partitionKey, rowKey }) =>
  `${base}/${POINTS}(PartitionKey='${quoted(partitionKey)}',RowKey='${quoted(rowKey)}')`

const JSON_BODY = ['content-type', 'application/json']

export async function insert(i) {
  const body = writeEntity(input[i % 1000])
  const headers = [...JSON_BODY, 'prefer', 'return-no-content']
  return (await send('POST', `${base}/${POINTS}`, 204, { body, headers })).header('etag')
}

export async function get(i) {
  return readEntity(JSON.parse((await send('GET', pathOf(input[i % 1000]), 200)).text))
}

export async function upsertMerge(i) {
  const entity = input[i % 1000]
  const body = writeEntity(entity)
  return (await send('PATCH', pathOf(entity), 204, { body, headers: JSON_BODY })).header('etag')
}

async function remove(i) {
  await send('DELETE', pathOf(input[i % 1000]), 204, { headers: ['if-match', '*'] })
}

export { remove as delete }

export async function batch100(i) {
  const body = writeChangeSet(url, batches[i % 10])
  const headers = ['content-type', 'multipart/mixed; boundary=batch']
  return readChangeSet((await send('POST', `${base}/$batch`, 202, { body, headers })).text)
}

async function page(table, query) {
  const answer = await send('GET', `${base}/${table}()`, 200, { query })
  return { answer, entities: JSON.parse(answer.text).value.map(readEntity) }
}

export async function queryPage1000() {
  return (await page(PAGE1K, '')).entities
}

export async function queryAll10k() {
  const all = []
  let query = ''
  for (;;) {
    const { answer, entities } = await page(PAGE10K, query)
    for (const entity of entities) all.push(entity)
    const row = answer.header('x-ms-continuation-nextrowkey')
    if (row === undefined) return all
    const partition = answer.header('x-ms-continuation-nextpartitionkey')
    query = `?NextPartitionKey=${encodeURIComponent(partition)}&NextRowKey=${encodeURIComponent(row)}`
  }
}

export const close = () => pool.close()
