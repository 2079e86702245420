import { checkOptions, type OptionNames } from '@rowkey/rest'
import type { MatchOptions } from '../conditions/filter-of.ts'
import { entitiesInputError } from '../errors/codes.ts'

/** The options of `scan` and `query`. */
export interface ScanOptions<Item> extends MatchOptions {
  /**
   * The most entities of one page, at most 1,000; with a handler, also how many of its calls run at once.
   *
   * @defaultValue as many as the service returns, at most 1,000
   */
  readonly limit?: number | undefined
  /** Where to continue: `continuation` of the page before. */
  readonly continuation?: string | null | undefined
  /** Receives each entity of all pages. The next page is read after all calls for a page have ended. */
  readonly handler?: ((item: Item) => unknown) | undefined
}

/** The options of a scan that passes all entities to a function. */
export interface HasHandler<Item> {
  /** Receives each entity. */
  readonly handler: (item: Item) => unknown
}

/** A page of `scan` or `query`. */
export interface ScanResult<Item> {
  /** The entities; may be empty although more follow. */
  readonly entries: Item[]
  /** Where to continue; `null` at the end. */
  readonly continuation: string | null
}

const OPTION_NAMES: OptionNames<ScanOptions<unknown>> = {
  continuation: true,
  handler: true,
  limit: true,
  matchPartition: true,
  matchRow: true,
}

/**
 * Checks the options of `scan` and `query`.
 *
 * @throws InputError (`InvalidScanOption` or `UnknownOption`)
 */
export function checkScanOptions(options: ScanOptions<never>): void {
  checkOptions(options, OPTION_NAMES, 'scan')
  const { limit, handler } = options
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
    throw entitiesInputError('InvalidScanOption', `limit must be a whole number, not ${limit}.`)
  }
  if (handler !== undefined && typeof handler !== 'function') {
    throw entitiesInputError(
      'InvalidScanOption',
      'handler must be a function that receives an entity.',
    )
  }
}
