import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'
import { MAX_BODY_SIZE } from './check-body-size.ts'

const VERBS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'MERGE',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
])
const BODY_VERBS: ReadonlySet<string> = new Set(['MERGE', 'PATCH', 'POST', 'PUT'])

/**
 * Rejects a request that is valid HTTP but can never be a request to the service.
 *
 * @throws ServiceFault
 */
export function checkHead(message: IncomingMessage, request: HttpRequest): void {
  const { headers } = message
  if (!VERBS.has(request.method)) throw new ServiceFault('UnsupportedHttpVerb')
  if (!headers.host) throw new ServiceFault('HostInformationNotPresent')
  if (hostCount(message.rawHeaders) > 1) {
    throw new ServiceFault('InvalidHeaderValue', { text: 'There is more than one Host header.' })
  }
  if (request.path === '') throw new ServiceFault('InvalidUri')
  const hasLength =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (BODY_VERBS.has(request.method) && !hasLength) {
    throw new ServiceFault('MissingContentLengthHeader')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceFault('MediaTypeNotSupported', {
      text: `The Content-Encoding '${encoding}' is not supported: send the body as it is.`,
    })
  }
  // A client that waits for the go-ahead need not send such a body at all.
  if (isWaiting(message) && Number(headers['content-length']) > MAX_BODY_SIZE) {
    throw new ServiceFault('RequestBodyTooLarge')
  }
}

/** Whether a client sends its body only after `100 Continue`. */
export function isWaiting({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /^100-continue$/i.test(headers.expect ?? '')
}

/** Node keeps the first of several in `headers`, where another server may keep the last. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  }
  return count
}
