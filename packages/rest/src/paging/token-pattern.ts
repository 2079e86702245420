/**
 * Screens a continuation token that came from outside, such as from the address of a web page. It
 * matches what `printContinuationToken` writes, and what the pages of a query give, sealed or not. It
 * takes time in proportion to the text.
 *
 * A text that matches may still not be a token, or belong to another query: the query that gets it
 * rejects it. The pattern does not limit the length: limit that too.
 *
 * @example
 * ```ts
 * const wanted = z.object({ after: z.string().max(8_000).regex(continuationTokenPattern).optional() })
 * ```
 */
// Base64 of `["` and more, or of `[null` and more; what begins with ~ comes from queries.
export const continuationTokenPattern: RegExp =
  /^(?:W(?:y[IJL][\w-]|251)|~[ps][\w-]{4})(?:[\w-]{4})*(?:[\w-]{2,3})?$/
