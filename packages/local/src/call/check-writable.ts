import { ServiceFault } from '../fault/service-fault.ts'
import type { ServiceCall } from './service-call.ts'

/**
 * Refuses what would change something on the secondary, which is there to be read only.
 *
 * @throws ServiceFault InsufficientAccountPermissions
 */
export function checkWritable(call: ServiceCall): void {
  if (call.isSecondary && call.method !== 'GET') {
    throw new ServiceFault('InsufficientAccountPermissions')
  }
}
