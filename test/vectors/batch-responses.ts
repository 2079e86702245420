import type { HttpResponse } from '@rowkey/rest'

function batchResponse(...lines: readonly string[]): HttpResponse {
  return {
    status: 202,
    headers: {
      'content-type':
        'multipart/mixed; boundary=batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3',
      'x-ms-request-id': '7944c5e8-0002-0079-7bcd-59ca30000000',
    },
    body: lines.join('\r\n'),
  }
}

const OPENING = [
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3',
  'Content-Type: multipart/mixed; boundary=changesetresponse_7cff44c4-6a6e-4be9-840a-bf726d93f891',
  '',
] as const

const PART = [
  '--changesetresponse_7cff44c4-6a6e-4be9-840a-bf726d93f891',
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  '',
] as const

const CLOSING = [
  '--changesetresponse_7cff44c4-6a6e-4be9-840a-bf726d93f891--',
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3--',
  '',
] as const

/** Azure's response to an insert, a delete and a merge. */
export const threeChanges: HttpResponse = batchResponse(
  ...OPENING,
  ...PART,
  'HTTP/1.1 204 No Content',
  'Content-ID: 1',
  'X-Content-Type-Options: nosniff',
  'Cache-Control: no-cache',
  'Preference-Applied: return-no-content',
  'DataServiceVersion: 3.0;',
  "Location: https://myaccount.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')",
  "DataServiceId: https://myaccount.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')",
  `ETag: W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`,
  '',
  '',
  ...PART,
  'HTTP/1.1 204 No Content',
  'Content-ID: 2',
  'X-Content-Type-Options: nosniff',
  'Cache-Control: no-cache',
  'DataServiceVersion: 1.0;',
  '',
  '',
  ...PART,
  'HTTP/1.1 204 No Content',
  'Content-ID: 3',
  'X-Content-Type-Options: nosniff',
  'Cache-Control: no-cache',
  'DataServiceVersion: 1.0;',
  `ETag: W/"datetime'2017-11-10T02%3A43%3A36.0846584Z'"`,
  '',
  '',
  ...CLOSING,
)

/** An insert that asked for its entity back; the entity's text looks like a separator. */
export const echoedInsert: HttpResponse = batchResponse(
  ...OPENING,
  ...PART,
  'HTTP/1.1 201 Created',
  'X-Content-Type-Options: nosniff',
  'Preference-Applied: return-content',
  'DataServiceVersion: 3.0;',
  'Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8',
  `ETag: W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`,
  '',
  '{"PartitionKey":"Smith","RowKey":"Jeff","note":"\\r\\n--changesetresponse_7cff44c4-6a6e-4be9-840a-bf726d93f891--\\r\\n--changesetresponse_"}',
  ...CLOSING,
)

function failure(status: string, code: string, text: string): HttpResponse {
  return batchResponse(
    ...OPENING,
    ...PART,
    `HTTP/1.1 ${status}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-cache',
    'DataServiceVersion: 3.0;',
    'Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8',
    '',
    `{"odata.error":{"code":"${code}","message":{"lang":"en-US","value":"${text}\\nRequestId:7944c5e8-0002-0079-7bcd-59ca30000000\\nTime:2021-01-06T01:01:30.9536883Z"}}}`,
    ...CLOSING,
  )
}

/** The fourth of four inserts met an entity that was there. */
export const fourthExists: HttpResponse = failure(
  '409 Conflict',
  'EntityAlreadyExists',
  '3:The specified entity already exists.',
)

/** The only change, with a stale ETag; the service gives no index then. */
export const onlyOneStale: HttpResponse = failure(
  '412 Precondition Failed',
  'UpdateConditionNotSatisfied',
  'The update condition specified in the request was not satisfied.',
)

/** The second change is of the same row as the first. */
export const secondIsTwice: HttpResponse = failure(
  '400 Bad Request',
  'InvalidDuplicateRow',
  '1:The batch request contains multiple changes with same row key. An entity can appear only once in a batch request.',
)

/** The service was too busy for the whole batch, and gives no index. */
export const busy: HttpResponse = failure(
  '503 Service Unavailable',
  'ServerBusy',
  'The server is busy.',
)

/** Cosmos DB ends some lines in LF and some in CRLF. */
export const cosmosMixedLines: HttpResponse = {
  status: 202,
  headers: { 'content-type': 'multipart/mixed; boundary=batchresponse_B' },
  body: '--batchresponse_B\r\nContent-Type: multipart/mixed; boundary=changesetresponse_C\r\n\r\n--changesetresponse_C\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\nHTTP/1.1 409 Conflict\r\nContent-Type: application/json;odata=fullmetadata\r\n\r\n{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-us","value":"3:The specified entity already exists.\\n\\nRequestID:00000000-0000-0000-0000-000000000000\\n"}}}\r\n--changesetresponse_C--\n--batchresponse_B--\r\n',
}

/** Azure's response to an empty change set. */
export const noChanges: HttpResponse = batchResponse(...OPENING, ...CLOSING)

/** Azure's response to a single read in a batch: without a change set around it. */
export const loneRead: HttpResponse = batchResponse(
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3',
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  '',
  'HTTP/1.1 200 OK',
  'DataServiceVersion: 3.0;',
  'Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8',
  `ETag: W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`,
  '',
  '{"PartitionKey":"Smith","RowKey":"10%"}',
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3--',
  '',
)

/** The same for an entity that is not there. */
export const loneReadOfNothing: HttpResponse = batchResponse(
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3',
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  '',
  'HTTP/1.1 404 Not Found',
  'DataServiceVersion: 3.0;',
  'Content-Type: application/json;odata=minimalmetadata;charset=utf-8',
  '',
  '{"odata.error":{"code":"ResourceNotFound","message":{"lang":"en-US","value":"0:The specified resource does not exist.\\nRequestId:a6fa50cc\\nTime:2026-11-20T11:49:20.230Z"}}}',
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3--',
  '',
)

/** Azurite's response to a single read: in a change set, and without a line between head and body. */
export const loneReadOfAzurite: HttpResponse = batchResponse(
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3',
  'Content-Type: multipart/mixed; boundary=--batch_15',
  '',
  '----batch_15',
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  '',
  'HTTP/1.1 200 OK',
  'DataServiceVersion: 3.0;',
  `ETag: W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`,
  '{"PartitionKey":"Smith","RowKey":"10%"}',
  '',
  '',
  '----batch_15--',
  '--batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3--',
  '',
)

/** A merge that was alone in its batch. */
export const oneMerge: HttpResponse = batchResponse(
  ...OPENING,
  ...PART,
  'HTTP/1.1 204 No Content',
  'DataServiceVersion: 1.0;',
  `ETag: W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`,
  '',
  '',
  ...CLOSING,
)
