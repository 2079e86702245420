import type { ContinuationToken } from '@rowkey/rest'
import { entitiesInputError } from '../errors/codes.ts'

/** Matches the continuation tokens of `scan` and `query`, to screen texts that come from users. */
export const continuationTokenPattern: RegExp = /^[a-zA-Z0-9_.!*'()%-]*~[a-zA-Z0-9_.!*'()%-]*$/

/**
 * Prints a continuation token as that library does: both keys, escaped, with `~` between them.
 *
 * @param token - where the query continues; `undefined` at its end
 * @returns `null` at the end of the query
 */
export function printContinuation(token: ContinuationToken | undefined): string | null {
  if (token === undefined) return null
  return `${escapeKey(token.nextPartitionKey ?? '')}~${escapeKey(token.nextRowKey ?? '')}`
}

/**
 * Parses a token of {@link printContinuation}.
 *
 * @throws InputError (`InvalidContinuationToken`) for any other text
 */
export function parseContinuation(text: unknown): ContinuationToken {
  if (typeof text === 'string' && continuationTokenPattern.test(text)) {
    const [nextPartitionKey = '', nextRowKey = ''] = text.split('~').map(unescapeKey)
    return { nextPartitionKey, ...(nextRowKey !== '' && { nextRowKey }) }
  }
  throw invalidToken()
}

const escapeKey = (key: string): string => encodeURIComponent(key).replaceAll('~', '%7e')

function unescapeKey(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidToken()
  }
}

const invalidToken = () =>
  entitiesInputError(
    'InvalidContinuationToken',
    'The continuation is not a token of scan or query. Pass data.continuation of the page before.',
  )
