import {
  type DigestedQuery,
  decodeBase64UrlText,
  encodeBase64UrlText,
  type InputError,
  queryDigest,
} from '@rowkey/odata'
import { queryInputError } from '../errors/codes.ts'

/**
 * Prints where a query continues, as text that can stand in a URL.
 *
 * @param mark - what the text begins with; no token of the source does
 * @param parts - the place, as JSON values
 * @param query - the query, which the text is bound to
 */
export function printPlace(mark: string, parts: readonly unknown[], query: DigestedQuery): string {
  return mark + encodeBase64UrlText(JSON.stringify([queryDigest(query), ...parts]))
}

/**
 * Reads the parts of a place that {@link printPlace} printed.
 *
 * @throws InputError (`InvalidContinuationToken`) for any other text, and for the token of another query
 */
export function placeParts(mark: string, text: string, query: DigestedQuery): readonly unknown[] {
  const [, ...parts] = text.startsWith(mark) ? listIn(text.slice(mark.length)) : []
  // Printing it again finds what JSON forgives, such as blanks.
  if (printPlace(mark, parts, query) === text) return parts
  throw invalidPlace()
}

function listIn(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(decodeBase64UrlText(text) ?? '')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** Makes the error for a text that is not a token of the query. */
export function invalidPlace(): InputError {
  return queryInputError({
    code: 'InvalidContinuationToken',
    message:
      'The text is not a continuation token of this query, or the continuationKeys of the account did not seal it. Pass one as a page of the same query gave it.',
  })
}
