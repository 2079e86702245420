import type { KeptTable } from '@rowkey/mapper'
import { type FilterNode, printFilter, type RawEntity } from '@rowkey/odata'
import { type CallOptions, type ContinuationToken, perform, queryEntities } from '@rowkey/rest'

/** Reads the rows that a filter matches as they are stored, at the primary location, page by page. */
export async function* scanRows(
  { service, name: table }: KeptTable,
  filter: FilterNode,
  options: CallOptions,
): AsyncGenerator<RawEntity, void, undefined> {
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  let continuation: ContinuationToken | undefined
  do {
    const input = { table, filter: printFilter(filter), ...(continuation && { continuation }) }
    const page = await perform(service, queryEntities, input, atPrimary)
    yield* page.entities
    continuation = page.continuation
  } while (continuation !== undefined)
}
