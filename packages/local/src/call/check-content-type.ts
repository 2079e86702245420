import { ServiceFault } from '../fault/service-fault.ts'
import type { ServiceCall } from './service-call.ts'

/**
 * Rejects a body that is not declared as JSON. A browser sends a body without a content type, or
 * with one of a few others, to any origin without asking first. JSON it must ask for.
 *
 * @throws ServiceFault MediaTypeNotSupported, or AtomFormatNotSupported for XML
 */
export function checkContentType(call: ServiceCall): void {
  const [mediaType = ''] = (call.headers['content-type'] ?? '').split(';', 1)
  const type = mediaType.trim().toLowerCase()
  if (type === 'application/json' || call.body === '') return
  throw new ServiceFault(type.endsWith('xml') ? 'AtomFormatNotSupported' : 'MediaTypeNotSupported')
}
