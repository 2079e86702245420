import type { RecordedExchange, RecordedRequest } from './recording.ts'

/** Bodies that the recorder cut, restored to the length that it recorded. */
const CUT: Readonly<Record<string, (length: number) => string>> = {
  'insert:str32769': filled,
  'insert:str32768': filled,
  'insert:bin65537': () => binary('b1', 65_537),
  'insert:bin65536': () => binary('b2', 65_536),
  'insert:entity-1mb': () => wide({ PartitionKey: 'q', RowKey: 'big' }, 18, 32_000),
  'batch:101': () => inserts('11', 101),
  'batch:100': () => inserts('12', 100),
  'batch:4mb': () => inserts('13', 100, 'x'.repeat(45_000)),
  'too-big': () => wide({ PartitionKey: 'p', RowKey: 'tb' }, 150, 31_000),
}

const CUT_AT = /\.\.\.<(\d+) chars>$/

/** Tells whether a recorded text is complete. */
export function isWhole(text: string): boolean {
  return !CUT_AT.test(text)
}

/** Restores a request that the recorder cut, or whose wrong signature it removed. */
export function wholeRequest({ name, request }: RecordedExchange): RecordedRequest {
  if (name === 'auth-badsig') return withSignature(request, '<signature>', 'd3Jvbmc=')
  if (name === 'sas:badsig') return withSignature(request, '<sig>', 'd3Jvbmc%3D')
  const length = CUT_AT.exec(request.body ?? '')?.[1]
  const body = length === undefined ? undefined : CUT[name]?.(Number(length))
  // Any long string will do if its length is the same.
  return body === undefined ? request : { ...request, body }
}

function withSignature(request: RecordedRequest, mark: string, wrong: string): RecordedRequest {
  return JSON.parse(JSON.stringify(request).replace(mark, wrong))
}

/** Returns one string that gives the body its recorded length. */
function filled(length: number): string {
  const start = `{"PartitionKey":"q","RowKey":"s${length % 2 === 0 ? 1 : 2}","V":"`
  return `${start}${'x'.repeat(length - start.length - 2)}"}`
}

function binary(rowKey: string, size: number): string {
  const value = Buffer.alloc(size).toString('base64')
  return `{"PartitionKey":"q","RowKey":"${rowKey}","V@odata.type":"Edm.Binary","V":"${value}"}`
}

function wide(key: object, count: number, length: number): string {
  const strings = Array.from({ length: count }, (_, at) => [`k${at}`, 'x'.repeat(length)])
  return JSON.stringify({ ...key, ...Object.fromEntries(strings) })
}

function inserts(boundary: string, count: number, text = ''): string {
  const changes = Array.from({ length: count }, (_, at) => {
    const body = JSON.stringify({ PartitionKey: 'p', RowKey: `k${at}`, ...(text && { V: text }) })
    return [
      `--changeset_${boundary}`,
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      'POST http://127.0.0.1:20037/devstoreaccount1/Bat HTTP/1.1',
      'Accept: application/json;odata=minimalmetadata',
      'DataServiceVersion: 3.0',
      'Content-Type: application/json',
      'Prefer: return-no-content',
      '',
      body,
    ].join('\r\n')
  })
  return [
    `--batch_${boundary}`,
    `Content-Type: multipart/mixed; boundary=changeset_${boundary}`,
    '',
    ...changes,
    `--changeset_${boundary}--`,
    `--batch_${boundary}--`,
    '',
  ].join('\r\n')
}
