import type { HttpHeaders } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'

const TUNNELLED: ReadonlySet<string> = new Set(['DELETE', 'MERGE', 'PATCH', 'PUT'])

/** The verb that counts: `X-HTTP-Method` of a POST, or else the request's own. */
export function effectiveMethod(method: string, headers: HttpHeaders): string {
  const tunnelled = headers['x-http-method']
  if (tunnelled === undefined) return method
  if (method !== 'POST') throw new ServiceFault('XMethodNotUsingPost')
  if (tunnelled.includes(',')) throw new ServiceFault('XMethodIncorrectCount')
  const verb = tunnelled.trim().toUpperCase()
  if (!TUNNELLED.has(verb)) throw new ServiceFault('XMethodIncorrectValue')
  return verb
}
