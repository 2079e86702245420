import type { KeptTable } from '@rowkey/mapper'
import {
  compareKeys,
  type FilterNode,
  keyOfRaw,
  printFilter,
  type RawEntity,
  TokenTrail,
} from '@rowkey/odata'
import {
  type CallOptions,
  type ContinuationToken,
  type EntitiesPage,
  type EntitiesQuery,
  perform,
  printContinuationToken,
  queryEntities,
  type TableService,
} from '@rowkey/rest'
import { atPrimary } from '../options/pattern-options.ts'

/**
 * Runs a loop over several requests as one call, so that closing the account with `drain` waits until the loop ends or is
 * left. Its deadline covers all of them.
 *
 * @param service - the account
 * @param options - the options of the loop
 * @param where - the function that the caller called, for messages
 * @param loop - makes the requests with its options
 */
export async function* loopInCall<Item>(
  service: TableService,
  options: CallOptions,
  where: string,
  loop: (options: CallOptions) => AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
  const call = service.begin(options, where)
  try {
    yield* loop(call.options)
  } finally {
    call.end()
  }
}

/**
 * Reads the rows that a filter matches as they are stored, at the primary location, in the order of their keys.
 * Cosmos DB does not sort rows, so there all of them are read first.
 *
 * @param select - the stored names to read; all when absent
 * @throws DecodeError (`ContinuationLoop`) when a page ends where the scan has been before
 */
export async function* scanRows(
  table: KeptTable,
  filter: FilterNode | undefined,
  options: CallOptions,
  select?: readonly string[],
): AsyncGenerator<RawEntity, void, undefined> {
  const pages = loopInCall(table.service, options, 'a scan of a pattern', (call) =>
    scanPages(table, filter, call, select),
  )
  if (table.service.endpoint.flavour !== 'cosmos') {
    for await (const page of pages) yield* page
    return
  }
  const rows: RawEntity[] = []
  for await (const page of pages) rows.push(...page)
  const keyed = rows.map((row) => ({ row, key: keyOfRaw(row) }))
  yield* keyed.sort((one, other) => compareKeys(one.key, other.key)).map(({ row }) => row)
}

/**
 * Reads the rows that a filter matches page by page, at the primary location.
 *
 * @param select - the stored names to read; all when absent
 * @throws DecodeError (`ContinuationLoop`) when a page ends where the scan has been before
 */
export async function* scanPages(
  { service, name: table }: KeptTable,
  filter: FilterNode | undefined,
  options: CallOptions,
  select?: readonly string[],
): AsyncGenerator<readonly RawEntity[], void, undefined> {
  const trail = new TokenTrail(table, undefined)
  let continuation: ContinuationToken | undefined
  do {
    const input = {
      table,
      select,
      ...(filter && { filter: printFilter(filter) }),
      ...(continuation && { continuation }),
    }
    const page = await perform(service, queryEntities, input, atPrimary(options))
    continuation = page.continuation
    trail.step(continuation && printContinuationToken(continuation), page.entities.length)
    yield page.entities
  } while (continuation !== undefined)
}

/** Lists the partitions that have rows that a filter matches, in their order. */
export async function partitionsWith(
  table: KeptTable,
  filter: FilterNode,
  options: CallOptions,
): Promise<readonly string[]> {
  const keys = new Set<string>()
  for await (const page of scanPages(table, filter, options, ['PartitionKey', 'RowKey'])) {
    for (const raw of page) keys.add(keyOfRaw(raw).partitionKey)
  }
  return [...keys].toSorted((one, other) => (one < other ? -1 : 1))
}

/** Fetches the first page of a query that has rows, and the last page when none has. */
export async function firstRows(
  service: TableService,
  query: EntitiesQuery,
  options: CallOptions,
): Promise<EntitiesPage> {
  let page = await perform(service, queryEntities, query, options)
  while (page.entities.length === 0 && page.continuation !== undefined) {
    const { continuation } = page
    page = await perform(service, queryEntities, { ...query, continuation }, options)
  }
  return page
}
