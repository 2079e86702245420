/** Complete HTTP responses as Buffers, made once, so that the service costs almost nothing. */
import {
  ACCOUNT,
  ETAG,
  entities,
  entityText,
  PAGE1K,
  PAGE10K,
  POINTS,
  pageText,
} from './fixture.mjs'

const LINE = '\r\n'
const JSON_TYPE =
  'Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8'
const BATCH = 'batchresponse_3f8a521c-4b0a-4d2c-9f8e-5b6a7c8d0f9e'
const CHANGE_SET = 'changesetresponse_9b5c7d0e-8e1f-4c55-4b9f-1e2a3d6b7c8d'

function answer(status, headers, body = '') {
  const head = [
    `HTTP/1.1 ${status}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0',
    'x-ms-request-id: 5a1f2f6e-0250-4100-b21a-2f6d9c000000',
    'x-ms-version: 2019-02-02',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-cache',
    'Date: Sat, 14 Mar 2026 09:26:53 GMT',
    ...headers,
  ]
  return Buffer.from(head.join(LINE) + LINE + LINE + body)
}

function changeSetAnswer(base) {
  const parts = entities.slice(0, 100).map(({ partitionKey, rowKey }) => {
    const url = `${base}/${POINTS}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`
    return [
      `--${CHANGE_SET}`,
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      'HTTP/1.1 204 No Content',
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-cache',
      'Preference-Applied: return-no-content',
      'DataServiceVersion: 3.0;',
      `Location: ${url}`,
      `DataServiceId: ${url}`,
      `ETag: ${ETAG}`,
      '',
      '',
      '',
    ].join(LINE)
  })
  const body = [
    `--${BATCH}`,
    `Content-Type: multipart/mixed; boundary=${CHANGE_SET}`,
    '',
    `${parts.join('')}--${CHANGE_SET}--`,
    `--${BATCH}--`,
    '',
  ].join(LINE)
  return answer('202 Accepted', [`Content-Type: multipart/mixed; boundary=${BATCH}`], body)
}

const continuation = (page) => [
  'x-ms-continuation-NextPartitionKey: 1!20!ZGVwYXJ0bWVudC0wMTc-',
  `x-ms-continuation-NextRowKey: page-${page}`,
]

/** @returns the Buffer that is the response to a request head */
export function cannedAnswers(port) {
  const base = `http://127.0.0.1:${port}/${ACCOUNT}`
  const etag = `ETag: ${ETAG}`
  const page = pageText(base, PAGE1K)
  const canned = {
    // Each entity has its own key: a client may reject the response of another key.
    entities: entities.map((entity) =>
      answer('200 OK', [JSON_TYPE, etag], entityText(entity, base)),
    ),
    page: answer('200 OK', [JSON_TYPE], page),
    pages: Array.from({ length: 10 }, (_, index) =>
      answer('200 OK', index < 9 ? [JSON_TYPE, ...continuation(index + 1)] : [JSON_TYPE], page),
    ),
    inserted: answer('204 No Content', [etag, 'Preference-Applied: return-no-content']),
    updated: answer('204 No Content', [etag]),
    deleted: answer('204 No Content', []),
    batch: changeSetAnswer(base),
  }
  return (head) => {
    if (head.startsWith('GET')) {
      if (head.includes(`/${PAGE10K}`)) {
        return canned.pages[Number(/NextRowKey=page-(\d)/.exec(head)?.[1] ?? 0)]
      }
      if (head.includes(`/${PAGE1K}`)) return canned.page
      return canned.entities[Number(/employee-(\d{8})/.exec(head)?.[1] ?? 0)]
    }
    if (head.startsWith('DELETE')) return canned.deleted
    if (!head.startsWith('POST')) return canned.updated
    return /^POST \S+\/(?:\$|%24)batch/.test(head) ? canned.batch : canned.inserted
  }
}
