import type { Flavour } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { ContinuationToken } from './continuation-token.ts'

/** The options of a query, as the service accepts them. */
export interface QueryOptions {
  /** The `$filter`; everything matches when absent. */
  readonly filter?: string | undefined
  /** Stored names; all properties when absent. */
  readonly select?: readonly string[] | undefined
  /** The most entities in one page, up to 1,000. */
  readonly top?: number | undefined
  /** Where the page before ended; the start when absent. */
  readonly continuation?: ContinuationToken | undefined
}

const LARGEST_PAGE = 1000
const MOST_NAMES = 255

/**
 * Builds the query of a request, each value percent-encoded; absent options are omitted.
 *
 * @param options - the options of the query
 * @param flavour - the kind of service; Cosmos DB accepts pages of more than 1,000
 * @throws `InputError` (`InvalidQueryOption`) for options that the service would reject
 */
export function queryText(options: QueryOptions, flavour: Flavour): string {
  const { filter, select, top, continuation } = options
  let text = ''
  if (filter !== undefined && filter !== '') text += `&$filter=${encode('$filter', filter)}`
  if (select !== undefined && select.length > 0)
    text += `&$select=${encode('$select', names(select))}`
  if (top !== undefined) text += `&$top=${checkTop(top, flavour)}`
  if (continuation !== undefined) text += continuationText(continuation)
  return text.slice(1)
}

function continuationText(token: ContinuationToken): string {
  const { nextPartitionKey, nextRowKey, nextTableName } = token
  let text = ''
  if (nextPartitionKey !== undefined)
    text += `&NextPartitionKey=${encode('NextPartitionKey', nextPartitionKey)}`
  if (nextRowKey) text += `&NextRowKey=${encode('NextRowKey', nextRowKey)}`
  if (nextTableName) text += `&NextTableName=${encode('NextTableName', nextTableName)}`
  return text
}

/** Percent-encodes a value, and its quotes, too: some proxies fail on quotes. */
function encode(name: string, value: string): string {
  try {
    return encodeURIComponent(value).replaceAll("'", '%27')
  } catch (cause) {
    throw restInputError({
      code: 'InvalidQueryOption',
      message: `${name} contains a lone surrogate, which UTF-8 cannot encode. Remove it.`,
      cause,
    })
  }
}

function names(select: readonly string[]): string {
  if (select.length > MOST_NAMES) {
    throw restInputError({
      code: 'InvalidQueryOption',
      message: `$select has ${select.length} properties, but an entity has at most ${MOST_NAMES}.`,
    })
  }
  for (const name of select) {
    if (typeof name !== 'string' || name === '' || name.includes(',')) {
      throw restInputError({
        code: 'InvalidQueryOption',
        message: `$select contains ${JSON.stringify(name)}, which is not a property name. Give each name as a string of its own.`,
      })
    }
  }
  return select.join(',')
}

function checkTop(top: unknown, flavour: Flavour): number {
  const largest = flavour === 'cosmos' ? Number.MAX_SAFE_INTEGER : LARGEST_PAGE
  if (typeof top === 'number' && Number.isInteger(top) && top >= 1 && top <= largest) return top
  throw restInputError({
    code: 'InvalidQueryOption',
    message: `$top is the page size and must be a whole number from 1 to ${LARGEST_PAGE}; got ${String(top)}.`,
  })
}
