/** The operation that receives the response. */
export type Question =
  | 'batch'
  | 'create'
  | 'delete'
  | 'find'
  | 'get'
  | 'insert'
  | 'list'
  | 'merge'
  | 'query'

/** A response that no service should send, and the error that a program must get. */
export interface HostileResponse {
  readonly title: string
  readonly asked: Question
  readonly status: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
  /** The expected error, or its cause. */
  readonly error: { readonly code: string; readonly status?: number }
  readonly mayHaveApplied: boolean
}

const HTML = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Hello</body></html>'
const ENTITY = '{"PartitionKey":"Smith","RowKey":"Jeff","age":7}'
const OTHER = '{"PartitionKey":"Smith","RowKey":"Ann","age":7}'
const ERROR = '{"odata.error":{"code":"EntityNotFound","message":{"value":"No."}}}'
const MIB = 1024 * 1024

const UNEXPECTED = { code: 'UnexpectedResponse' } as const
const LOST = { code: 'TransportFailed' } as const
const json = { 'content-type': 'application/json;odata=minimalmetadata' } as const
const html = { 'content-type': 'text/html' } as const
const multipart = { 'content-type': 'multipart/mixed; boundary=b' } as const

/** A response to a read, which never changes anything. */
const read = (
  title: string,
  asked: Question,
  response: Partial<HostileResponse>,
  error: HostileResponse['error'] = UNEXPECTED,
): HostileResponse => ({ title, asked, status: 200, error, mayHaveApplied: false, ...response })

const write = (
  title: string,
  asked: Question,
  response: Partial<HostileResponse>,
  error: HostileResponse['error'] = UNEXPECTED,
): HostileResponse => ({ title, asked, status: 200, error, mayHaveApplied: true, ...response })

const part = (status: string, body = '') =>
  `--c\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 ${status}\r\nContent-Type: application/json\r\n\r\n${body}\r\n`

const batch = (...parts: readonly string[]) =>
  `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${parts.join('')}--c--\r\n--b--\r\n`

const DONE = part('204 No Content')

/** Responses to a transaction of three inserts with an echo. */
const batches: readonly HostileResponse[] = [
  ['the page of a proxy', HTML, html],
  ['nothing', '', multipart],
  ['no boundary', batch(DONE, DONE, DONE), { 'content-type': 'multipart/mixed' }],
  ['another boundary', batch(DONE, DONE, DONE), { 'content-type': 'multipart/mixed; boundary=x' }],
  ['JSON', ENTITY, json],
  ['two results of three', batch(DONE, DONE), multipart],
  ['four results of three', batch(DONE, DONE, DONE, DONE), multipart],
  ['no results', batch(), multipart],
  ['a cut in the second result', batch(DONE, DONE, DONE).slice(0, 200), multipart],
  ['a cut before the end', batch(DONE, DONE, DONE).replace('--c--\r\n--b--\r\n', ''), multipart],
  ['a result without a status', batch(DONE, part('no status'), DONE), multipart],
  ['a result that is not HTTP', batch(DONE, '--c\r\n\r\nhello\r\n', DONE), multipart],
  ['a result of 200 for an insert', batch(DONE, part('200 OK'), DONE), multipart],
  ['a result cut in its JSON', batch(DONE, part('201 Created', '{"Part'), DONE), multipart],
  ['a result that is a page', batch(DONE, part('201 Created', HTML), DONE), multipart],
].map(([title, body, headers]) =>
  write(`a batch with ${title}`, 'batch', {
    status: 202,
    body,
    headers,
  } as Partial<HostileResponse>),
)

/** Every hostile response. */
export const hostileResponses: readonly HostileResponse[] = [
  read('JSON that is cut', 'get', { body: ENTITY.slice(0, -5), headers: json }),
  read('no body', 'get', { headers: json }),
  read('204', 'get', { status: 204 }),
  read('the page of a proxy', 'get', { body: HTML, headers: html }),
  read('the page of a proxy that says it is JSON', 'get', { body: HTML, headers: json }),
  read('an Atom feed', 'get', {
    body: '<?xml version="1.0"?><entry/>',
    headers: { 'content-type': 'application/atom+xml' },
  }),
  ...['[]', 'null', '7', '"x"', 'true', '{"a":1}{"b":2}', '{"a":NaN}', "{'a':1}"].map((body) =>
    read(`${body} in place of an entity`, 'get', { body, headers: json }),
  ),
  ...(['get', 'find'] as const).flatMap((asked) =>
    [OTHER, '{"status":"ok"}', ERROR, '{"PartitionKey":"Smith"}', '{}'].map((body) =>
      read(`${body} in place of Jeff`, asked, { body, headers: json }),
    ),
  ),
  read('an entity that says it is a page', 'get', { body: ENTITY, headers: html }),
  read('a page of entities that says it is HTML', 'query', {
    body: `{"value":[${ENTITY}]}`,
    headers: html,
  }),
  read('a page of something else', 'query', { body: '{"value":[{}]}', headers: json }),
  write('the echo of another entity', 'insert', { status: 201, body: OTHER, headers: json }),
  write('the echo of nothing', 'insert', { status: 201, body: '{}', headers: json }),
  read('bytes that are not UTF-8', 'get', {
    body: new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xc3, 0x28, 0x22, 0x7d]),
    headers: json,
  }),
  read('10 MiB of a page', 'get', { body: HTML.padEnd(10 * MIB, 'x'), headers: html }),
  read('1 MiB of brackets', 'get', { body: '['.repeat(MIB), headers: json }),
  read('10 MiB of digits', 'get', { body: `{"a":${'1'.repeat(10 * MIB)}`, headers: json }),
  read('17 MiB', 'get', { body: ' '.repeat(17 * MIB), headers: json }),
  read('two ETags', 'get', { body: ENTITY, headers: { ...json, etag: ['W/"1"', 'W/"2"'] } }),
  read('a redirect to another host', 'get', {
    status: 302,
    headers: { location: 'https://login.example/' },
  }),
  read('a redirect without a place', 'get', { status: 307 }),
  read('304', 'get', { status: 304 }),
  read(
    'a body that ends too early',
    'get',
    { body: ENTITY, headers: { 'content-length': '99' } },
    LOST,
  ),

  ...[
    '',
    HTML,
    '{}',
    '[]',
    '{"value":{}}',
    '{"value":[null]}',
    '{"value":[[]]}',
    '{"value":"x"}',
  ].flatMap((body) => [
    read(`${body || 'nothing'} in place of a page of entities`, 'query', { body, headers: json }),
    read(`${body || 'nothing'} in place of a page of tables`, 'list', { body, headers: json }),
  ]),
  read('a table without a name', 'list', { body: '{"value":[{"Name":"people"}]}', headers: json }),
  read('a page that is cut', 'query', { body: `{"value":[${ENTITY},{"Partit`, headers: json }),

  read(
    '404 of a proxy, which says nothing about the entity',
    'find',
    { status: 404, body: HTML, headers: html },
    { code: 'Http404', status: 404 },
  ),
  read('404 without a word', 'find', { status: 404 }, { code: 'Http404', status: 404 }),
  read(
    '403 of a proxy',
    'get',
    { status: 403, body: HTML, headers: html },
    { code: 'Http403', status: 403 },
  ),
  read(
    '502 of a proxy',
    'get',
    { status: 502, body: HTML, headers: html },
    { code: 'Http502', status: 502 },
  ),
  read(
    'an error that is cut',
    'get',
    { status: 400, body: ERROR.slice(0, 40), headers: json },
    { code: 'Http400', status: 400 },
  ),
  read(
    'an error of 10 MiB',
    'get',
    { status: 500, body: 'x'.repeat(10 * MIB) },
    { code: 'Http500', status: 500 },
  ),
  read(
    'an error whose entities grow',
    'get',
    {
      status: 400,
      body: '<?xml version="1.0"?><!DOCTYPE e [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><error><code>&b;</code></error>',
      headers: { 'content-type': 'application/xml' },
    },
    { code: 'Http400', status: 400 },
  ),
  read('a status that does not exist', 'get', { status: 799 }, { code: 'Http799', status: 799 }),

  ...(['insert', 'merge', 'delete', 'create'] as const).flatMap((asked) => [
    write('200 and the page of a proxy', asked, { body: HTML, headers: html }),
    write('200 and nothing', asked, {}),
    write('202', asked, { status: 202 }),
    write('206', asked, { status: 206 }),
    write(
      '500 of a proxy',
      asked,
      { status: 500, body: HTML, headers: html },
      { code: 'Http500', status: 500 },
    ),
    write(
      '503 of a proxy',
      asked,
      { status: 503, body: HTML, headers: html },
      { code: 'Http503', status: 503 },
    ),
    write('504', asked, { status: 504 }, { code: 'Http504', status: 504 }),
    read(
      '400 of a proxy',
      asked,
      { status: 400, body: HTML, headers: html },
      { code: 'Http400', status: 400 },
    ),
    read('a redirect', asked, { status: 301, headers: { location: '/' } }),
  ]),
  write('201 for a merge', 'merge', { status: 201, body: ENTITY, headers: json }),
  write('two ETags after a merge', 'merge', { status: 204, headers: { etag: ['"1"', '"2"'] } }),
  write('an echo that is cut', 'insert', { status: 201, body: ENTITY.slice(0, 20), headers: json }),
  write('an echo that is a page', 'insert', { status: 201, body: HTML, headers: html }),
  write('an echo of bytes that are not UTF-8', 'insert', {
    status: 201,
    body: new Uint8Array([0xff]),
  }),
  write(
    'an echo that ends too early',
    'insert',
    { status: 201, body: ENTITY, headers: { 'content-length': '99' } },
    LOST,
  ),
  write('an echo of 17 MiB', 'insert', { status: 201, body: ' '.repeat(17 * MIB), headers: json }),

  ...batches,
  write('200 for a batch', 'batch', {
    status: 200,
    body: batch(DONE, DONE, DONE),
    headers: multipart,
  }),
  read(
    'a batch whose failed result names a change that it has not',
    'batch',
    {
      status: 202,
      body: batch(
        part(
          '409 Conflict',
          '{"odata.error":{"code":"EntityAlreadyExists","message":{"value":"99:No."}}}',
        ),
      ),
      headers: multipart,
    },
    { code: 'EntityAlreadyExists', status: 409 },
  ),
  read(
    'a batch whose failed result has no words',
    'batch',
    { status: 202, body: batch(part('412 Precondition Failed')), headers: multipart },
    { code: 'Http412', status: 412 },
  ),
]
