/** The responses of the service with a latency, as status, headers and body. */
import { entities, membersOf } from './fixture.mjs'

export const PARTITIONS = 50
export const ROWS_PER_PARTITION = 200
export const partitionOf = (index) => `city-${String(index % PARTITIONS).padStart(3, '0')}`

const ETAG = `W/"datetime'2026-03-14T09%3A26%3A53.5897932Z'"`
const BATCH = 'batchresponse_3f8a521c-4b0a-4d2c-9f8e-5b6a7c8d0f9e'
const CHANGE_SET = 'changesetresponse_9b5c7d0e-8e1f-4c55-4b9f-1e2a3d6b7c8d'
const JSON_TYPE = 'application/json;odata=minimalmetadata'

const made = (status, headers, body) => ({
  status,
  headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
  body,
})

export const membersAt = (partitionKey, rowKey, index) =>
  membersOf({ ...entities[index % entities.length], partitionKey, rowKey })

const pages = new Map()

/** All rows of a partition. */
export function pageAnswers(partition = '') {
  let page = pages.get(partition)
  if (page === undefined) {
    const rows = Array.from({ length: ROWS_PER_PARTITION }, (_, index) => {
      const rowKey = `employee-${String(index).padStart(8, '0')}`
      return `{${membersAt(partition, rowKey, index)}}`
    })
    const body = Buffer.from(`{"odata.metadata":"$metadata#points","value":[${rows.join(',')}]}`)
    page = made(200, { 'Content-Type': JSON_TYPE }, body)
    pages.set(partition, page)
  }
  return page
}

export function entityAnswer(partitionKey, rowKey) {
  const body = `{"odata.metadata":"$metadata#points/@Element",${membersAt(partitionKey, rowKey, 0)}}`
  return made(200, { 'Content-Type': JSON_TYPE, ETag: ETAG }, body)
}

const PART = [
  `--${CHANGE_SET}`,
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  '',
  'HTTP/1.1 204 No Content',
  'X-Content-Type-Options: nosniff',
  'Cache-Control: no-cache',
  'DataServiceVersion: 1.0;',
  `ETag: ${ETAG}`,
  '',
  '',
  '',
].join('\r\n')

const batches = new Map()

/** A success for each change of a body; a single write has no change set. */
export function changeSetAnswers(body) {
  const count = body.split('Content-Transfer-Encoding').length - 1
  if (count === 0) return made(204, { ETag: ETAG }, '')
  let batch = batches.get(count)
  if (batch === undefined) {
    const text = [
      `--${BATCH}`,
      `Content-Type: multipart/mixed; boundary=${CHANGE_SET}`,
      '',
      `${PART.repeat(count)}--${CHANGE_SET}--`,
      `--${BATCH}--`,
      '',
    ].join('\r\n')
    batch = made(202, { 'Content-Type': `multipart/mixed; boundary=${BATCH}` }, Buffer.from(text))
    batches.set(count, batch)
  }
  return batch
}
