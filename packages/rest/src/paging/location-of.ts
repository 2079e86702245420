import type { LocationName } from '../location-name.ts'
import type { ContinuationToken } from './continuation-token.ts'

/**
 * Where alone a query can go on: the copy of the account may end its pages elsewhere.
 *
 * @param query - what is to be asked
 * @returns `undefined` when the query begins
 */
export function locationOf({
  continuation,
}: {
  readonly continuation?: ContinuationToken | undefined
}): LocationName | undefined {
  return continuation && (continuation.location ?? 'primary')
}
