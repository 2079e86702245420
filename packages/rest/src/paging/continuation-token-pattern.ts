/**
 * What every continuation token looks like, to screen one that came from outside, such as from the
 * address of a web page: letters, digits, `-` and `_`, as `printContinuationToken` writes them.
 * It takes time in proportion to the text.
 *
 * A text that fits may still be none, or one of another query: `parseContinuationToken` and the
 * query that gets it tell. It says nothing of the length: limit that too.
 *
 * @example
 * ```ts
 * const wanted = z.object({ after: z.string().max(8_000).regex(continuationTokenPattern).optional() })
 * ```
 */
// Base64 of `["` and more, or of `[null` and more.
export const continuationTokenPattern: RegExp = /^W(?:y[IJL][\w-]|251)(?:[\w-]{4})*(?:[\w-]{2,3})?$/
