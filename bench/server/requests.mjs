/** Signed requests as every client sends them, made before the measurement. */
import { ACCOUNT, entities, KEY } from '../fixture.mjs'
import { withTypes, writeEntity } from '../floor/entity-json.mjs'
import { sharedKeyLite } from '../floor/shared-key-lite.mjs'
import { TRANSACTION_TYPE, writeDeletes, writeInserts } from './change-set.mjs'

const TABLE = 'employees'
const BASE = `/${ACCOUNT}`

const rows = entities.map(withTypes)

/** The rows of one partition fill one page. */
export const PARTITION = 1000
const BATCH = 100

const sign = sharedKeyLite(ACCOUNT, KEY)

function request(method, path, { body, query = '', type = 'application/json' } = {}) {
  const headers = sign(BASE + path)
  if (body !== undefined) headers.push('content-type', type)
  if (method === 'POST') headers.push('prefer', 'return-no-content')
  return { method, path: BASE + path + query, headers, body }
}

/** A row by its number: its partition, its place in the partition, and ten properties. */
function rowAt(index) {
  const partition = Math.floor(index / PARTITION)
  return {
    ...rows[index % PARTITION],
    partitionKey: `department-${String(partition).padStart(5, '0')}`,
  }
}

const pathOf = ({ partitionKey, rowKey }) =>
  `/${TABLE}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`

const transaction = (body) => request('POST', '/$batch', { body, type: TRANSACTION_TYPE })

const rowsFrom = (first) => Array.from({ length: BATCH }, (_, offset) => rowAt(first + offset))

export const TABLES = () => request('GET', '/Tables')

export const createTable = () =>
  request('POST', '/Tables', { body: JSON.stringify({ TableName: TABLE }) })

export const get = (index) => request('GET', pathOf(rowAt(index)))

export const insert = (index) => request('POST', `/${TABLE}`, { body: writeEntity(rowAt(index)) })

/** Insert Or Merge of one property. */
export const upsert = (index) => request('PATCH', pathOf(rowAt(index)), { body: '{"Count":7}' })

/** A query of the partition of a row. */
export const page = (index) =>
  request('GET', `/${TABLE}()`, {
    query: `?$filter=PartitionKey%20eq%20'${rowAt(index).partitionKey}'`,
  })

/** Inserts of 100 rows, in one transaction. */
export const insertBatch = (first) => transaction(writeInserts(`${BASE}/${TABLE}`, rowsFrom(first)))

/** Deletes of these 100 rows, in one transaction. */
export const deleteBatch = (first) =>
  transaction(writeDeletes(rowsFrom(first).map((row) => BASE + pathOf(row))))

/** The first number of each batch, for `count` rows from a given row. */
export function* batches(first, count) {
  for (let index = first; index < first + count; index += BATCH) yield index
}
