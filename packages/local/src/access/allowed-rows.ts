import type { EntityKey } from '@rowkey/odata'
import { ServiceFault } from '../fault/service-fault.ts'
import { EVERYTHING, holdsKey, type KeyRange } from '../store/key-range.ts'
import type { Grant } from './grant.ts'

/** The rows of its table that a grant is for. */
export function allowedRows(grant: Grant): KeyRange {
  return grant.kind === 'table' ? grant.range : EVERYTHING
}

/**
 * Refuses a write to a row outside of the grant. A read of such a row finds nothing instead.
 *
 * @throws ServiceFault AuthorizationFailure
 */
export function checkRowAllowed(grant: Grant, key: EntityKey): void {
  if (!holdsKey(allowedRows(grant), key)) throw new ServiceFault('AuthorizationFailure')
}
