import { ServiceFault } from '../fault/service-fault.ts'
import type { StoredEntity } from './stored-entity.ts'

/** The row an If-Match asks for: it must exist, and be the version that the ETag names. */
export function matchETag(current: StoredEntity | undefined, ifMatch: string): StoredEntity {
  if (current === undefined) throw new ServiceFault('ResourceNotFound')
  if (ifMatch !== '*' && ifMatch !== current.etag) {
    throw new ServiceFault('UpdateConditionNotSatisfied')
  }
  return current
}
