import { anything, declareOptions, rule, TokenTrail } from '@rowkey/odata'
import { filterOf, type MatchOptions } from '../conditions/conditions.ts'
import { parseContinuation, printContinuation } from '../conditions/continuation.ts'
import type { Definition, Properties } from '../definition/definition.ts'
import { entitiesInputError } from '../errors/codes.ts'
import { type StoredRow, storedRow, type TableClient } from './table-client.ts'

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
  readonly handler?: ((item: Item) => unknown) | null | undefined
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

const scanOptions = declareOptions<ScanOptions<never>>(
  {
    continuation: anything,
    handler: rule(
      'a function that receives an entity',
      (handler) => handler === null || typeof handler === 'function',
    ),
    limit: rule('a whole number', (limit) => Number.isInteger(limit) && Number(limit) >= 0),
    matchPartition: anything,
    matchRow: anything,
  },
  (message) => entitiesInputError('InvalidScanOption', message),
)

/**
 * Checks the options of `scan` and `query`.
 *
 * @throws InputError (`InvalidScanOption` or `UnknownOption`)
 */
function checkScanOptions(options: ScanOptions<never>): void {
  scanOptions.check(options, 'scan')
  const { continuation } = options
  if (continuation !== undefined && continuation !== null && typeof continuation !== 'string') {
    throw entitiesInputError(
      'InvalidContinuationToken',
      'continuation must be a string: data.continuation of the page before.',
    )
  }
}

const MAX_PAGE = 1_000

/** The class whose rows a scan reads. */
interface ScannedClass<Item> {
  /** Sends the query. */
  readonly client: TableClient
  /** Its version. */
  readonly definition: Definition
  /** Makes the entity of a row. */
  toEntity(stored: StoredRow): Item
}

/**
 * Reads a page of entities, or passes all entities to the handler.
 *
 * @param scanned - the class
 * @param conditions - a value or an operator of `Entity.op` for some properties
 * @param options - the options of `scan`
 * @returns the page; `undefined` with a handler
 */
export async function scan<Item>(
  scanned: ScannedClass<Item>,
  conditions: Properties,
  options: ScanOptions<Item>,
): Promise<ScanResult<Item> | undefined> {
  checkScanOptions(options)
  const filter = filterOf(scanned.definition, conditions, options)
  const { limit, continuation, handler } = options
  const page = (from: typeof continuation) => readPage(scanned, filter, limit, from)
  if (handler == null) return page(continuation)
  const trail = new TokenTrail(scanned.client.table, continuation ?? undefined)
  let next = continuation
  do {
    const { entries, continuation: following } = await page(next)
    await handleAll(entries, handler)
    trail.step(following ?? undefined, entries.length)
    next = following
  } while (next)
  return undefined
}

/** All handlers of a page run at once, so that the limit is also how many run. All end before the first error is thrown. */
async function handleAll<Item>(
  entries: readonly Item[],
  handler: (item: Item) => unknown,
): Promise<void> {
  const ends = await Promise.allSettled(entries.map(async (item) => handler(item)))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function readPage<Item>(
  scanned: ScannedClass<Item>,
  filter: string | undefined,
  limit: number | undefined,
  continuation: string | null | undefined,
): Promise<ScanResult<Item>> {
  const page = await scanned.client.page({
    filter,
    top: limit ? Math.min(limit, MAX_PAGE) : undefined,
    continuation: continuation ? parseContinuation(continuation) : undefined,
  })
  return {
    entries: page.entities.map((raw) => scanned.toEntity(storedRow(raw))),
    continuation: printContinuation(page.continuation),
  }
}
