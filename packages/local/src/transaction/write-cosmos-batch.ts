import type { ServiceResponse } from '../response/service-response.ts'
import { type PartResponse, REASONS } from './write-batch.ts'

/**
 * Writes the response to a batch as Cosmos DB does. The headers of a part end in LF and its own lines in
 * CRLF, and each part has the number of its change, counted from 1.
 */
export function writeCosmosBatch(
  parts: readonly PartResponse[],
  newId: () => string,
): ServiceResponse {
  const inner = `changesetresponse_${newId()}`
  const outer = `batchresponse_${newId()}`
  const text = parts.map(
    ({ response }, index) => `--${inner}\n${PART_HEAD}${printPart(response, index)}`,
  )
  return {
    status: 202,
    headers: { 'content-type': `multipart/mixed; boundary=${outer}` },
    body: `--${outer}\r\nContent-Type: multipart/mixed; boundary=${inner}\r\n\r\n${text.join('')}--${inner}--\n--${outer}--\r\n`,
  }
}

const PART_HEAD = 'Content-Type: application/http\nContent-Transfer-Encoding: binary\n\n'

/** The headers of a part in the spelling and order of Cosmos DB. */
const SPELLINGS: readonly (readonly [name: string, spelling: string])[] = [
  ['content-type', 'Content-Type'],
  ['etag', 'ETag'],
  ['preference-applied', 'Preference-Applied'],
  ['location', 'Location'],
]

function printPart({ status, headers, body }: ServiceResponse, index: number): string {
  const lines = SPELLINGS.flatMap(([name, spelling]) => {
    const value = headers[name]?.replace(';streaming=true;charset=utf-8', '')
    return value === undefined ? [] : [`${spelling}: ${value}`]
  })
  const id = status < 300 ? [`Content-ID: ${index + 1}`] : []
  const head = [`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, ...id].join('\r\n')
  return `${head}\r\n\r\n${body.trimEnd()}\r\n`
}
