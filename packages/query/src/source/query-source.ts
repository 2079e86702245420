import {
  aFunction,
  type DynamicEntity,
  type EntityKey,
  type KeyCheck,
  type Rule,
} from '@rowkey/odata'
import type { QueryPlan } from '../compile/query-plan.ts'
import type { ConcurrencyLevel } from '../concurrency/concurrency-level.ts'
import { checkArgument, invalidQuery } from '../errors/invalid-query.ts'
import {
  type CompiledQuery,
  type EntityResolver,
  type QueryNode,
  withChange,
} from '../node/query-node.ts'

/** The options of every run of a query; a source may take more. */
export interface QueryOptions {
  /** Cancels the pending page, and fetches no further one, when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for each attempt at a page, its body included; the source's own limit when absent. */
  readonly timeout?: number | undefined
}

/** Where a run by pages begins. */
export interface PageStart {
  /** The token of the page before, from this run or an earlier one; from the start when absent, `null` or empty. */
  readonly continuationToken?: string | null | undefined
}

/** Which page `.page` reads. */
export interface PageOptions {
  /** How many rows, a whole number from 1; only the page at the end has fewer. */
  readonly size: number
  /** The `next` of the page before; from the start when absent, `null` or empty. */
  readonly token?: string | null | undefined
}

/** How many rows `.forEach` handles at once. */
export interface HandlerOptions {
  /**
   * How many calls at most are pending at once; with `1`, each call begins when the one before is done. The number is
   * fixed, because the calls are the caller's.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
}

/** One page of rows, as the service ends it. */
export interface QueryPage<Row> {
  /**
   * The rows, in the order of PartitionKey and RowKey, except on Cosmos DB; may be empty though more pages
   * follow.
   */
  readonly items: readonly Row[]
  /**
   * Opaque text with which a run continues right after the last item; absent only at the end. A source
   * that has nothing more may still give one: then the next page is empty.
   */
  readonly continuationToken?: string | undefined
}

/** One page as `.page` reads it: as many rows as the caller asked for, or what is left at the end. */
export interface FullPage<Row> {
  /** The rows, in the order of PartitionKey and RowKey, except on Cosmos DB. */
  readonly items: Row[]
  /**
   * The token of the next page; absent at the end, and only there. When the last row of a page is the last
   * row of the query, the service may not know that yet: then the next page is empty.
   */
  readonly next?: string | undefined
}

/** How the rows of a query are to be read. */
export interface RowRequest {
  /** Whether only some properties were selected, so that a row must not replace its entity. */
  readonly projected: boolean
}

/** Which page a source is to fetch, and how its rows are to be read. */
export interface PageRequest extends RowRequest {
  /** The token that the page before ended with; absent for the first. */
  readonly continuationToken?: string
}

/**
 * Seals the continuation tokens of a source, which hold keys of rows in plain base64. Sealed tokens can be
 * shown to anyone, and only tokens of the source are accepted.
 */
export interface TokenSeal {
  /**
   * Encrypts a token.
   *
   * @param token - where a query continues
   * @param query - the query, which the token is bound to
   * @returns letters, digits, `-` and `_`
   */
  seal(token: string, query: string): string
  /**
   * Decrypts a token.
   *
   * @param sealed - any text
   * @param query - the query that is to continue
   * @returns `undefined` when {@link TokenSeal.seal} did not make the text for this query
   */
  open(sealed: string, query: string): string | undefined
}

/**
 * Where rows come from: all that a query needs to run.
 *
 * @example
 * ```ts
 * const source: QuerySource<RawEntity> = {
 *   fetchPage: async ({ filter, select, top }, { continuationToken }, { signal }) =>
 *     askTheService({ filter, select, top, continuationToken, signal }),
 * }
 * ```
 */
export interface QuerySource<Row, Options extends QueryOptions = QueryOptions> {
  /** The table that the rows are in, for errors; continuation tokens are bound to it. */
  readonly table?: string | undefined
  /** Seals the continuation tokens that a query returns; they are readable when absent. */
  readonly tokenSeal?: TokenSeal | undefined
  /**
   * Whether its rows come in an order that is not the order of keys, as on Cosmos DB. Several queries at
   * once then read each query to its end before they sort the rows.
   *
   * @defaultValue `false`
   */
  readonly isUnsorted?: boolean | undefined
  /**
   * How many requests of one run may be in flight, when a query stands for several; a run has a level of its own when it is
   * absent.
   */
  readonly level?: ConcurrencyLevel | undefined
  /**
   * Returns options whose requests tell when the service throttles them.
   *
   * @param options - the options of a request
   * @param onThrottled - called for each attempt that the service throttled
   */
  observed?(options: Options, onThrottled: () => void): Options
  /**
   * Begins a run: what holds for all its pages together, such as a deadline, begins with it. Without it,
   * every page gets the caller's options as they are.
   *
   * @param options - the caller's options for this run
   * @returns the options that {@link QuerySource.fetchPage} gets for each page of it
   */
  beginRun?(options: Options): Options
  /**
   * Ends a run: all rows were read, the loop was left, or the run failed.
   *
   * @param options - from {@link QuerySource.beginRun}
   */
  endRun?(options: Options): void
  /**
   * Explains how the source itself would find the rows, when it has a cheaper path than the filter. It
   * sends nothing.
   *
   * @param plan - the plan of the query as the filter has it
   * @returns the plan that the source follows
   */
  explain?(plan: QueryPlan): QueryPlan
  /**
   * Fetches one page.
   *
   * @param query - the same on every page of a run
   * @param page - which page
   * @param options - the caller's options for this run; the source rejects unknown ones. Their signal may
   * be another one, which also aborts when the page is no longer wanted
   * @throws any error. One with a member `continuationToken` gets the token with which a later run goes on, where the caller has received
   * all rows before it
   */
  fetchPage(query: CompiledQuery, page: PageRequest, options: Options): Promise<QueryPage<Row>>
}

/**
 * A source that fetches rows as they came over the wire, and reads them later. It supports all that a
 * query can do: point reads, `.resolve`, and several queries at once in the order of keys. Rows past a
 * limit are never read.
 */
export interface RawQuerySource<Row, Options extends QueryOptions, Raw>
  extends QuerySource<Raw, Options> {
  /**
   * Rejects the keys that no row has: a query that names some is not sent for them.
   *
   * @defaultValue the rules of Table storage
   */
  readonly checkKey?: KeyCheck | undefined
  /**
   * Fetches one row by its key.
   *
   * @param key - PartitionKey and RowKey
   * @param query - only its `select` counts
   * @param options - as for {@link QuerySource.fetchPage}
   * @returns `undefined` when the row does not exist
   */
  findRow(key: EntityKey, query: CompiledQuery, options: Options): Promise<Raw | undefined>
  /**
   * Reads a row from what was fetched.
   *
   * @param raw - one item of a page
   * @param request - how to read it
   */
  readRow(raw: Raw, request: RowRequest): Row
  /**
   * Returns the key of what was fetched.
   *
   * @param raw - one item of a page
   */
  keyOf(raw: Raw): EntityKey
  /**
   * Reads what was fetched as an entity of typed properties.
   *
   * @param raw - one item of a page
   */
  entityOf(raw: Raw): DynamicEntity
}

/** Any source of these rows. */
export type AnyQuerySource<Row, Options extends QueryOptions = QueryOptions> =
  | QuerySource<Row, Options>
  | RawQuerySource<Row, Options, unknown>

/** Tells whether a source fetches rows that are yet to be read. */
export function isRawSource<Row, Options extends QueryOptions>(
  source: AnyQuerySource<Row, Options>,
): source is RawQuerySource<Row, Options, unknown> {
  return 'readRow' in source
}

/** One run of a query. */
export interface QueryRun<Row, Options extends QueryOptions = QueryOptions> {
  /** The query. */
  readonly node: QueryNode
  /** Where the rows come from. */
  readonly source: AnyQuerySource<unknown, Options>
  /** The options of every request of the run. */
  readonly options: Options
  /** Whether the next page is fetched while the one before is consumed. */
  readonly prefetch: boolean
  /**
   * Reads and tests the rows; absent where the source, the resolver and the local tests of the query do.
   *
   * @internal
   */
  readonly reading?: RowReading<Row> | undefined
}

/** Makes rows of what a source fetches. */
export interface RowReading<Row> {
  /** Reads a row. */
  read(raw: unknown): Row
  /** Tells whether the query keeps a row. */
  isWanted(row: Row): boolean
}

/** The rule of what maps rows to other values. */
export const resolverRule: Rule = {
  ...aFunction,
  text: 'a function of (partitionKey, rowKey, timestamp, properties, etag)',
}

/**
 * Returns the query whose rows a resolver makes. Earlier local tests get the rows as they were.
 *
 * @param node - the query so far
 * @param source - where the rows come from
 * @param resolver - makes a row of an entity
 * @throws InputError with the code `InvalidQuery` when the resolver is not a function, or the source has
 * no entities
 */
export function resolvedNode<Options extends QueryOptions>(
  node: QueryNode,
  source: AnyQuerySource<unknown, Options>,
  resolver: EntityResolver<unknown>,
): QueryNode {
  const { name: model } = node.model
  checkArgument(resolver, resolverRule, 'The resolver of .resolve', model)
  if (!isRawSource(source)) {
    throw invalidQuery(
      `.resolve on ${model} needs entities, and its source gives other rows. Map the rows as they come.`,
      { model },
    )
  }
  return withChange(node, {
    resolved: { resolver, before: node },
    localTests: node.localTests && [],
  })
}
