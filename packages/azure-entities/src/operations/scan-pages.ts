import { parseContinuation, printContinuation } from '../conditions/continuation.ts'
import type { Row } from '../types/base-type.ts'
import type { ScanOptions, ScanResult } from './scan-options.ts'
import { type StoredRow, storedRow, type TableClient } from './table-client.ts'

const MAX_PAGE = 1_000

/** What a scan reads and how it makes entities of it. */
export interface Scan<Item> {
  /** Sends the query. */
  readonly client: TableClient
  /** The `$filter`. */
  readonly filter: string | undefined
  /** Makes the entity of a row. */
  toEntity(stored: StoredRow): Item
}

/** Reads one page. */
export async function scanPage<Item>(
  scan: Scan<Item>,
  { limit, continuation }: Pick<ScanOptions<Item>, 'limit' | 'continuation'>,
): Promise<ScanResult<Item>> {
  const page = await scan.client.page({
    filter: scan.filter,
    top: limit ? Math.min(limit, MAX_PAGE) : undefined,
    continuation: continuation ? parseContinuation(continuation) : undefined,
  })
  return {
    entries: page.entities.map((raw) => scan.toEntity(storedRow(raw as Row))),
    continuation: printContinuation(page.continuation),
  }
}

/** Reads all pages and passes each entity to the handler: the entities of a page at once. */
export async function scanAll<Item>(
  scan: Scan<Item>,
  { limit, continuation }: Pick<ScanOptions<Item>, 'limit' | 'continuation'>,
  handler: (item: Item) => unknown,
): Promise<void> {
  let next = continuation
  do {
    const page = await scanPage(scan, { limit, continuation: next })
    await Promise.all(page.entries.map(async (item) => handler(item)))
    next = page.continuation
  } while (next)
}
