import type { Endpoint } from '../endpoint/endpoint.ts'
import { isRead } from '../http/transport.ts'
import { encodePart, PART_OPENING } from './change-set-part.ts'
import { ENVELOPE_BYTES, utf8Length } from './change-set-size.ts'
import type { Change } from './check-change-set.ts'
import { encodeChangeSet } from './encode-change-set.ts'

/**
 * Counts the bytes that a change takes in an entity group transaction, exactly as it is sent.
 *
 * @param change - the operation and its input
 * @param endpoint - the account
 * @throws an InputError for an input that the operation rejects, such as an invalid key or an entity
 * that is too large
 */
export function changeBytes({ operation, input }: Change, endpoint: Endpoint): number {
  const request = operation.toRequest(input, endpoint)
  // A read is alone in its transaction, without a change set around it.
  if (isRead(request)) return utf8Length(encodeChangeSet([request], endpoint)) - ENVELOPE_BYTES
  return utf8Length(PART_OPENING + encodePart(request, 0))
}
