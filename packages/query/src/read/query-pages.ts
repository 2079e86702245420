import { compareKeys, type DigestedQuery, type EntityKey } from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'
import { compileQuery, type QueryNode, withChange } from '../node/query-node.ts'
import {
  checkScan,
  type FollowingRows,
  type PagePosition,
  type PageTokens,
  type PlacePrinter,
  runPages,
  withPlace,
} from '../run/run-pages.ts'
import {
  type FullPage,
  isRawSource,
  type PageOptions,
  type QueryOptions,
  type QueryPage,
  type QueryRun,
} from '../source/query-source.ts'
import { invalidPlace, placeParts, printPlace } from './place-token.ts'

/**
 * Runs a query page by page, for a caller who keeps tokens: they are sealed where the source has a seal.
 * A page is fetched when the caller comes to it, or while the one before is consumed.
 *
 * @param run - the query, its source and its options
 * @param start - the token to continue from; `undefined`, `null` and an empty text begin at the start, as REST handlers pass them
 * @throws InputError with the code `TableScan` before the first page, when the query would scan the table;
 * `InvalidQuery` when the query stands for several; `InvalidContinuationToken` for a text that is not a
 * token of the query
 * @throws DecodeError with the code `ContinuationLoop` when a page ends where the run has been before
 */
export async function* queryPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  start?: string | null,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  checkPaged(run.node, '.byPage()')
  checkScan(run.node)
  const tokens = pageTokens(run, openToken(run, start || undefined))
  const pages = runPages(run, tokens, placePrinter(run))
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
 * @throws as `queryPages`, and InputError with the code `InvalidQuery` for a query with a limit
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
      `.page() on ${model} does not support .take(${node.take}), because a token does not count earlier rows. Remove .take.`,
      { model },
    )
  }
  const items: Row[] = []
  let next: string | undefined
  const pages = queryPages({ ...run, node: withChange(node, { take: size }) }, token)
  try {
    for await (const page of pages) {
      for (const row of page.items) items.push(row)
      next = page.continuationToken
    }
  } catch (error) {
    // The caller loses the rows that were read, so the page begins anew.
    throw withPlace(error, token || undefined)
  }
  return next === undefined ? { items } : { items, next }
}

/** Prints where a later run by pages goes on. */
export function placePrinter<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
): PlacePrinter {
  return (position) => sealToken(run, pageTokens(run, undefined).print(position))
}

function checkPaged({ parallel, model: { name: model } }: QueryNode, method: string): void {
  if (parallel === undefined) return
  throw invalidQuery(
    `${method} on ${model} does not support .inPartitions() and .parallel(), which have no continuation token. Iterate over the rows, or page each query.`,
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
function sealToken<Options extends QueryOptions>(
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
function openToken<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
  text: string | undefined,
): string | undefined {
  const { tokenSeal } = run.source
  const isSealed = typeof text === 'string' && text.startsWith(SEALED)
  if (text === undefined || (tokenSeal === undefined && !isSealed)) return text
  const token = isSealed ? tokenSeal?.open(text.slice(SEALED.length), contextOf(run)) : undefined
  if (token !== undefined) return token
  throw invalidPlace()
}

/** What must be the same when a query continues: not how many rows a page has. */
function contextOf<Options extends QueryOptions>({
  node,
  source,
}: QueryRun<unknown, Options>): string {
  const { filter, select } = compileQuery(node)
  return JSON.stringify([source.table ?? node.model.name, filter ?? null, select ?? null])
}

/**
 * Makes the tokens of a run.
 *
 * @param run - the query, which the tokens are bound to, and its source
 * @param start - the token to continue from; `undefined` begins at the start
 * @throws InputError with the code `InvalidContinuationToken` for a text that is not a token of the query
 */
export function pageTokens<Options extends QueryOptions>(
  { node, source }: QueryRun<unknown, Options>,
  start: string | undefined,
): PageTokens {
  const query = { ...compileQuery(node), table: source.table, order: node.model.order }
  const { isUnsorted = false } = source
  const keyOf = isRawSource(source) ? (raw: unknown) => source.keyOf(raw) : undefined
  return {
    start: parsePosition(start, query),
    isShort: ({ past }, raws) => isUnsorted && keyOf !== undefined && isShort(past, raws, keyOf),
    rowsAfter: (position, raws) => rowsAfter(position, raws, keyOf, isUnsorted),
    rowBefore(raws, end) {
      if (keyOf === undefined) return end
      const { partitionKey, rowKey } = keyOf(raws[end - 1])
      return isUnsorted ? { partitionKey, rowKey, place: end } : { partitionKey, rowKey }
    },
    print: (position) => printPosition(position, query),
  }
}

/** No token of a source is taken for one of these: one that begins so is wrapped in a position. */
const MARK = '~'
const POSITION = `${MARK}p`

/**
 * Prints where a run continues, as text that can stand in a URL. Between two pages it is the source's
 * own token; within a page it also holds the row to continue after.
 *
 * @param position - where the run continues
 * @param query - the query, which the text is bound to
 */
function printPosition(position: PagePosition, query: DigestedQuery): string {
  const { token, past } = position
  if (past === undefined && token !== undefined && isOfSource(token, query)) return token
  return printPlace(POSITION, [token ?? null, ...partsOfRow(past)], query)
}

/**
 * Parses a text that {@link printPosition} printed, or a token of the source.
 *
 * @param text - the text; `undefined` is the start
 * @param query - the query that is to continue
 * @throws InputError with the code `InvalidContinuationToken` for a text that is not a token, and for a
 * position within another query
 */
function parsePosition(text: string | undefined, query: DigestedQuery): PagePosition {
  if (text === undefined) return { token: undefined, past: undefined }
  if (typeof text !== 'string' || text === '') throw invalidPlace()
  if (isOfSource(text, query)) return { token: text, past: undefined }
  const [token, first, second, third] = placeParts(POSITION, text, query)
  const isKey = typeof first === 'string' && typeof second === 'string'
  const place = third === undefined ? {} : { place: countIn(third) ?? 0 }
  const past = isKey ? { partitionKey: first, rowKey: second, ...place } : countIn(first)
  if ((token !== null && typeof token !== 'string') || past === undefined) throw invalidPlace()
  return { token: token ?? undefined, past: past || undefined }
}

/** Tells whether a text is a token of the source, which knows nothing of an order that may change. */
function isOfSource(text: string, { order }: DigestedQuery): boolean {
  return !text.startsWith(MARK) && order === undefined
}

/** Reads the key of a row that a source fetched. */
type KeyReader = (raw: unknown) => EntityKey

/**
 * Tells whether the row of a position may come after the end of a page of unsorted rows. The page may be shorter than
 * the one that had the row: the caller chose another size, or the service ended it earlier.
 *
 * @param past - the row
 * @param raws - the rows from the position's token on
 * @param keyOf - reads the key of a row
 */
function isShort(past: PagePosition['past'], raws: readonly unknown[], keyOf: KeyReader): boolean {
  if (typeof past !== 'object' || raws.length >= (past.place ?? 0)) return false
  return !raws.some((raw) => compareKeys(keyOf(raw), past) === 0)
}

/**
 * Finds the rows of a page that follow a position within it. Rows may have come and gone since.
 *
 * @param position - where the run continues
 * @param raws - the page that begins at the position's token
 * @param keyOf - reads the key of a row
 * @param isUnsorted - whether the rows come in an order that is not the order of keys. A deleted row then
 * does not tell which rows follow it, and the page is returned again
 * @throws InputError with the code `InvalidContinuationToken` for the position of another source
 */
function rowsAfter(
  { past }: PagePosition,
  raws: readonly unknown[],
  keyOf: KeyReader | undefined,
  isUnsorted: boolean,
): FollowingRows {
  if (past === undefined) return { first: 0, past }
  if (typeof past === 'number') {
    const first = Math.min(past, raws.length)
    return { first, past: past - first || undefined }
  }
  if (keyOf === undefined) throw invalidPlace()
  const keys = raws.map(keyOf)
  const found = keys.findIndex((key) => compareKeys(key, past) === 0)
  if (found >= 0) return { first: found + 1, past: undefined }
  if (isUnsorted) return { first: 0, past: undefined }
  // The row was deleted, or comes on the next page: the rows that sort before it were returned, too.
  const first = keys.findIndex((key) => compareKeys(key, past) > 0)
  return first < 0 ? { first: raws.length, past } : { first, past: undefined }
}

function partsOfRow(past: PagePosition['past']): readonly unknown[] {
  if (typeof past !== 'object') return [past ?? 0]
  const { partitionKey, rowKey, place } = past
  return place === undefined ? [partitionKey, rowKey] : [partitionKey, rowKey, place]
}

function countIn(part: unknown): number | undefined {
  return typeof part === 'number' && Number.isSafeInteger(part) && part >= 0 ? part : undefined
}
