/** How many requests a query takes when it is read to its end, without retries. */
export interface RequestRange {
  /** At least. */
  readonly least: number
  /**
   * At most. Absent when the service decides: it ends a page after 1,000 rows, after 5 seconds of reading, and at some borders of
   * partitions.
   */
  readonly most?: number
}

/** The list price that {@link priceOf} calculates with: that of Azure Table storage. Regions differ. */
export const LIST_PRICE: {
  /** The service that it is of. */
  readonly service: string
  /** US dollars for so many requests. */
  readonly dollars: number
  /** How many requests the dollars pay. */
  readonly requests: number
} = Object.freeze({ service: 'Azure Table storage', dollars: 0.036, requests: 1_000_000 })

/**
 * Returns what requests cost in US dollars, at the {@link LIST_PRICE}. Cosmos DB bills request units instead.
 *
 * @param requests - how many
 *
 * @example
 * ```ts
 * priceOf(1_000_000) // 0.036
 * ```
 */
export function priceOf(requests: number): number {
  // Without the last digits, which are only noise.
  return Number(((requests * LIST_PRICE.dollars) / LIST_PRICE.requests).toPrecision(12))
}

/** Returns what a range of requests costs. */
export function priceRange({ least, most }: RequestRange): RequestRange {
  return { least: priceOf(least), ...(most !== undefined && { most: priceOf(most) }) }
}

/** Adds up the requests of several queries. */
export function sumOfRanges(ranges: readonly RequestRange[]): RequestRange {
  let least = 0
  let most: number | undefined = 0
  for (const range of ranges) {
    least += range.least
    most = most === undefined || range.most === undefined ? undefined : most + range.most
  }
  return most === undefined ? { least } : { least, most }
}
