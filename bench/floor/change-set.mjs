import { writeEntity } from './entity-json.mjs'

const PART =
  '--changes\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n'
const HEADERS = [
  'Content-Type: application/json',
  'Accept: application/json;odata=minimalmetadata',
  'Prefer: return-no-content',
  'DataServiceVersion: 3.0;',
].join('\r\n')

/** One change set that inserts all of these entities. */
export function writeChangeSet(url, entities) {
  let body = '--batch\r\nContent-Type: multipart/mixed; boundary=changes\r\n\r\n'
  for (const entity of entities) {
    body += `${PART}POST ${url} HTTP/1.1\r\n${HEADERS}\r\n\r\n${writeEntity(entity)}\r\n`
  }
  return `${body}--changes--\r\n--batch--\r\n`
}

/** Status and ETag of each part. */
export function readChangeSet(text) {
  const results = []
  let start = text.indexOf('HTTP/1.1 ')
  while (start >= 0) {
    const end = text.indexOf('\r\n\r\n', start)
    const etag = text.indexOf('\r\nETag: ', start)
    results.push({
      status: Number(text.slice(start + 9, start + 12)),
      etag:
        etag >= 0 && etag < end ? text.slice(etag + 8, text.indexOf('\r\n', etag + 2)) : undefined,
    })
    start = text.indexOf('HTTP/1.1 ', end)
  }
  return results
}
