import type { KeptTable } from '@rowkey/mapper'
import { type FilterNode, keyOfRaw, printFilter, type RawEntity, TokenTrail } from '@rowkey/odata'
import {
  type CallOptions,
  type ContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
} from '@rowkey/rest'

/**
 * Reads the rows of one partition that a filter matches as they are stored, at the primary location, in the order of RowKey.
 * Cosmos DB does not sort rows, so there all of them are read first.
 *
 * @throws DecodeError (`ContinuationLoop`) when a page ends where the scan has been before
 */
export async function* scanRows(
  table: KeptTable,
  filter: FilterNode,
  options: CallOptions,
): AsyncGenerator<RawEntity, void, undefined> {
  const pages = scanPages(table, filter, options)
  if (table.service.endpoint.flavour !== 'cosmos') {
    for await (const page of pages) yield* page
    return
  }
  const rows: RawEntity[] = []
  for await (const page of pages) rows.push(...page)
  const keyed = rows.map((row) => ({ row, rowKey: keyOfRaw(row).rowKey }))
  yield* keyed.sort((one, other) => (one.rowKey < other.rowKey ? -1 : 1)).map(({ row }) => row)
}

async function* scanPages(
  { service, name: table }: KeptTable,
  filter: FilterNode,
  options: CallOptions,
): AsyncGenerator<readonly RawEntity[], void, undefined> {
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  const trail = new TokenTrail(table, undefined)
  let continuation: ContinuationToken | undefined
  do {
    const input = { table, filter: printFilter(filter), ...(continuation && { continuation }) }
    const page = await perform(service, queryEntities, input, atPrimary)
    continuation = page.continuation
    trail.step(continuation && printContinuationToken(continuation), page.entities.length)
    yield page.entities
  } while (continuation !== undefined)
}
