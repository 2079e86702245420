import { checkScan, compileQuery } from '../compile/compile-query.ts'
import { invalidQuery } from '../errors/query-errors.ts'
import { type QueryNode, withChange } from '../node/query-node.ts'
import { invalidToken, pageTokens } from '../run/page-position.ts'
import { type QueryRun, runPages, wholeRun } from '../run/run-pages.ts'
import type { FullPage, PageOptions, QueryOptions, QueryPage } from '../source/query-source.ts'

/**
 * Runs a query page by page, for a caller who keeps tokens: they are sealed where the source has a seal.
 * A page is fetched when the caller comes to it, or while the one before is consumed.
 *
 * @param run - the query, its source and its options
 * @param start - the token to continue from; `undefined` begins at the start
 * @throws InputError with the code `TableScan` before the first page, when the query would scan the table;
 * `InvalidQuery` when the query stands for several; `InvalidContinuationToken` for a text that is not a
 * token of the query
 * @throws DecodeError with the code `ContinuationLoop` when a page ends where the run has been before
 */
export async function* queryPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  start?: string,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  checkPaged(run.node, '.byPage()')
  checkScan(run.node)
  const pages = wholeRun(run, (begun) => runPages(begun, pageTokens(begun, openToken(run, start))))
  for await (const { items, continuationToken } of pages) {
    yield continuationToken === undefined
      ? { items }
      : { items, continuationToken: sealToken(run, continuationToken) }
  }
}

/**
 * Reads one page of exactly `size` rows, or fewer at the end, in as many requests as it needs.
 *
 * @param run - the query, its source and its options
 * @param page - how many rows, and where to continue
 * @throws as {@link queryPages}, and InputError with the code `InvalidQuery` for a query with a limit
 */
export async function fullPage<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  { size, token }: PageOptions,
): Promise<FullPage<Row>> {
  const { node } = run
  checkPaged(node, '.page()')
  if (node.take !== undefined) {
    const { name: model } = node.model
    throw invalidQuery(
      `.page() on ${model} does not support .take(${node.take}): the size of the page limits its rows, and a token does not know how many rows earlier pages had. Remove .take.`,
      { model },
    )
  }
  const items: Row[] = []
  let next: string | undefined
  const pages = queryPages({ ...run, node: withChange(node, { take: size }) }, token)
  for await (const page of pages) {
    for (const row of page.items) items.push(row)
    next = page.continuationToken
  }
  return next === undefined ? { items } : { items, next }
}

function checkPaged({ parallel, model: { name: model } }: QueryNode, method: string): void {
  if (parallel === undefined) return
  throw invalidQuery(
    `${method} on ${model} does not support .inPartitions() and .parallel(): a continuation token tells where one query continues, and these are several. Iterate over the rows, or page through each query by itself.`,
    { model },
  )
}

/** The beginning of a sealed token. */
const SEALED = '~s'

/**
 * Seals a token for the caller, where the source has a seal.
 *
 * @param run - the query and its source
 * @param token - where the query continues
 */
export function sealToken<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
  token: string,
): string {
  const { tokenSeal } = run.source
  return tokenSeal === undefined ? token : SEALED + tokenSeal.seal(token, contextOf(run))
}

/**
 * Opens a token of {@link sealToken}.
 *
 * @param run - the query and its source
 * @param text - the caller's token; `undefined` is the start
 * @throws InputError with the code `InvalidContinuationToken` when it was not sealed for this query, or is
 * sealed and the source has no seal
 */
export function openToken<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
  text: string | undefined,
): string | undefined {
  const { tokenSeal } = run.source
  const isSealed = typeof text === 'string' && text.startsWith(SEALED)
  if (tokenSeal === undefined) {
    if (!isSealed) return text
    throw invalidToken(
      'The continuation token is sealed, and no keys to open it were configured. Give connect() the continuationKeys that it was sealed with.',
    )
  }
  if (text === undefined) return undefined
  const token = isSealed ? tokenSeal.open(text.slice(SEALED.length), contextOf(run)) : undefined
  if (token !== undefined) return token
  throw invalidToken(
    'The continuation token was not sealed by this program for this query, or the key is no longer among the continuationKeys. Pass one exactly as a page of the same query gave it, or begin without one.',
  )
}

/** What must be the same when a query continues: not how many rows a page has. */
function contextOf<Options extends QueryOptions>({
  node,
  source,
}: QueryRun<unknown, Options>): string {
  const { filter, select } = compileQuery(node)
  return JSON.stringify([source.table ?? node.model.name, filter ?? null, select ?? null])
}
