import { headersOf, type RecordedExchange, type RecordedRequest } from './recording.ts'

/** Requests whose recordings contain only the response. */
const UNRECORDED: Readonly<Record<string, Partial<RecordedRequest>>> = {
  'POST /t -> 201': {
    headers: { prefer: 'return-content' },
    body: JSON.stringify({
      PartitionKey: 'part1',
      RowKey: 'row1',
      field: 'my field',
      otherfield: 'my other field',
      otherprops: 'my properties',
    }),
  },
  'insert 255 custom properties -> TooManyProperties': {
    body: entityOf(...Array.from({ length: 255 }, (_, i) => `property${i}`)),
  },
  'insert property name of 256 chars': { body: entityOf('x'.repeat(256)) },
  'table SAS insert outside spk/srk/epk/erk': {
    path: '/people?se=2040-01-01T01%3A01%3A00Z&sp=a&sv=2019-02-02&tn=people&spk=test&srk=test1&epk=test&erk=test1&sig=<sig>',
    body: entityOf(),
  },
  'account SAS sp=d creating a table': { body: '{"TableName":"people"}' },
  'account SAS srt=s creating a table': { body: '{"TableName":"people"}' },
  'wrong key (POST /$batch)': {
    ...batchOf(post('p', '1')),
    headers: { authorization: 'SharedKeyLite myaccount:d3Jvbmc=' },
  },
  'no Authorization, x-ms-version 2020-12-06': { headers: { authorization: '' } },
  'no Authorization, x-ms-version 2019-07-07': { headers: { authorization: '' } },
  'get/set ACL with a bearer token (the table may not have existed)': {
    headers: { authorization: 'Bearer token', 'x-ms-version': '2019-02-02' },
  },
  'set properties with 6 CORS rules or retention 366 days': {
    headers: { 'x-ms-version': '2019-02-02' },
    body: '<StorageServiceProperties><HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs><RetentionPolicy><Enabled>true</Enabled><Days>366</Days></RetentionPolicy></HourMetrics></StorageServiceProperties>',
  },
  'batch, 4 inserts, 4th exists': batchOf(
    ...['1', '2', '3', 'there'].map((rowKey) => post('p', rowKey, 'return-no-content')),
  ),
  'batch, 2 inserts in two partitions': batchOf(post('p', '1'), post('q', '1')),
  'batch, same row twice': batchOf(post('p', '1'), post('p', '1')),
  'batch, one insert, no table': batchOf(post('p', '1')),
  'batch, one delete of a missing entity (no index prefix)': batchOf(
    `DELETE /people(PartitionKey='p',RowKey='1') HTTP/1.1\nIf-Match: *\n\n`,
  ),
}

/** Headers that every client sends; some recorders omit them. */
const USUAL: RecordedRequest['headers'] = {
  accept: 'application/json;odata=minimalmetadata',
  authorization: 'SharedKeyLite myaccount:<signature>',
  'content-type': 'application/json',
  'x-ms-version': '2019-02-02',
}

/** Completes a recorded request, and dates it by the service's clock. */
export function preparedRequest(exchange: RecordedExchange, now: number): RecordedRequest {
  const { request, response, name } = exchange
  const { headers = {}, ...known } = UNRECORDED[name] ?? {}
  const version = headersOf(response.headers)['x-ms-version']
  const said: Record<string, string | number> = {
    ...USUAL,
    ...(version === undefined ? {} : { 'x-ms-version': version }),
    ...headersOf(request.headers),
    'x-ms-date': new Date(now).toUTCString(),
    ...headers,
  }
  const isSigned = (known.path ?? request.path).includes('sig=<sig>')
  if (isSigned || said.authorization === '') delete said.authorization
  return {
    ...request,
    // The recording shortens the table's name to one letter, which is invalid.
    path: request.path.replace(/^\/t(?=[(?]|$)/, '/people'),
    ...known,
    headers: said,
  }
}

function entityOf(...names: readonly string[]): string {
  const properties = Object.fromEntries(names.map((name) => [name, 1]))
  return JSON.stringify({ PartitionKey: 'p', RowKey: 'r', ...properties })
}

function post(partitionKey: string, rowKey: string, prefer?: string): string {
  const preference = prefer === undefined ? '' : `Prefer: ${prefer}\n`
  const body = JSON.stringify({ PartitionKey: partitionKey, RowKey: rowKey })
  return `POST /people HTTP/1.1\nContent-Type: application/json\n${preference}\n${body}\n`
}

function batchOf(...parts: readonly string[]): Partial<RecordedRequest> {
  const changes = parts.map((part) => `--c\nContent-Type: application/http\n\n${part}`).join('')
  return {
    headers: { 'content-type': 'multipart/mixed; boundary=b' },
    body: `--b\nContent-Type: multipart/mixed; boundary=c\n\n${changes}--c--\n--b--\n`,
  }
}
