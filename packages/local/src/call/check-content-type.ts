import { ServiceFault } from '../fault/service-fault.ts'
import type { ServiceCall } from './service-call.ts'

/** Refuses a body that says it is something other than JSON. */
export function checkContentType(call: ServiceCall): void {
  const contentType = call.headers['content-type']
  if (contentType === undefined) return
  const [mediaType = ''] = contentType.split(';', 1)
  const type = mediaType.trim().toLowerCase()
  if (type === 'application/json' || type === '') return
  throw new ServiceFault(type.endsWith('xml') ? 'AtomFormatNotSupported' : 'MediaTypeNotSupported')
}
