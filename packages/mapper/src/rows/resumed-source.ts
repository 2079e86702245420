import { comparison, type DigestedQuery, literalOf, printFilter } from '@rowkey/odata'
import { invalidPlace, placeParts, printPlace } from '@rowkey/query'
import type { RowSource } from './entity-source.ts'

/**
 * Where a run goes on in the rows of a partition, whatever source finds them.
 *
 * @internal
 */
export interface RowPosition {
  /** The RowKey of the last row that was looked at. */
  readonly after: string
  /** The token of the filter for the rows behind it; absent before the first page of these. */
  readonly token?: string | undefined
}

/**
 * Makes a source that goes on from any position in the rows, also from one that the source of a keeper gave, in this program or another: it
 * sends the filter for the rows behind it.
 *
 * @param source - sends the filter of a query
 */
export function resumedSource<Entity>(source: RowSource<Entity>): RowSource<Entity> {
  return {
    ...source,
    async fetchPage(query, page, options) {
      const bound = { ...query, table: source.table }
      const position = positionIn(page.continuationToken, bound)
      if (position === undefined) return source.fetchPage(query, page, options)
      const { after, token } = position
      const rest = printFilter(comparison('RowKey', 'gt', literalOf(after, 'String')))
      const filter = query.filter === undefined ? rest : `(${query.filter}) and ${rest}`
      const start = token === undefined ? {} : { continuationToken: token }
      const request = { projected: page.projected, ...start }
      const found = await source.fetchPage({ ...query, filter }, request, options)
      const { items, continuationToken } = found
      if (continuationToken === undefined) return { items }
      const next = { after, token: continuationToken }
      return { items, continuationToken: printPosition(next, bound) }
    },
  }
}

/** What the token of a position begins with; no token of the service does. */
const MARK = '~k'

/**
 * Prints a position as the token of a query.
 *
 * @internal
 */
export function printPosition({ after, token }: RowPosition, query: DigestedQuery): string {
  return printPlace(MARK, token === undefined ? [after] : [after, token], query)
}

/**
 * Parses the token of a position.
 *
 * @returns `undefined` for any other token
 * @throws InputError with the code `InvalidContinuationToken` for the token of another query
 * @internal
 */
export function positionIn(
  text: string | undefined,
  query: DigestedQuery,
): RowPosition | undefined {
  if (!text?.startsWith(MARK)) return undefined
  const [after, token] = placeParts(MARK, text, query)
  if (typeof after !== 'string') throw invalidPlace()
  return { after, token: typeof token === 'string' ? token : undefined }
}
