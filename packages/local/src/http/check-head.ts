import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'

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

/** Refuses what is HTTP but can be no request to the service. */
export function checkHead(message: IncomingMessage, request: HttpRequest): void {
  const { headers } = message
  if (!VERBS.has(request.method)) throw new ServiceFault('UnsupportedHttpVerb')
  if (!headers.host) throw new ServiceFault('HostInformationNotPresent')
  if (request.path === '') throw new ServiceFault('InvalidUri')
  const hasLength =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (BODY_VERBS.has(request.method) && !hasLength) {
    throw new ServiceFault('MissingContentLengthHeader')
  }
}
