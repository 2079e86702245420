import { annotationName, queryDigest, type RawEntity } from '@rowkey/odata'
import {
  type CallOptions,
  type ContinuationToken,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  type EntityRead,
  findEntity,
  getEntity,
  perform,
  type ReadResult,
  type TableService,
} from '@rowkey/rest'
import type { RowLifetime } from '../../model/row-lifetime.ts'
import type { RowPath } from '../keep/row-path.ts'

/** A table whose rows may expire. */
export interface LiveTable {
  readonly service: TableService
  /** Decides which rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
}

/** Reads a row if it exists and is live. */
export async function findLive(
  { service, lifetime }: LiveTable,
  input: EntityRead,
  options: CallOptions,
): Promise<ReadResult | undefined> {
  if (lifetime === undefined) return perform(service, findEntity, input, options)
  const read = { ...input, select: withNames(input.select, lifetime) }
  const found = await perform(service, findEntity, read, options)
  if (found === undefined || lifetime.isHidden(found.raw, service.now())) return undefined
  return { ...found, raw: withoutNames(found.raw, input.select, lifetime) }
}

/**
 * Reads a row that is live.
 *
 * @throws EntityNotFoundError when it does not exist, or is not live
 */
export async function getLive(
  { service, lifetime }: LiveTable,
  input: EntityRead,
  options: CallOptions,
): Promise<ReadResult> {
  if (lifetime === undefined) return perform(service, getEntity, input, options)
  const read = { ...input, select: withNames(input.select, lifetime) }
  const found = await perform(service, getEntity, read, options)
  if (lifetime.isHidden(found.raw, service.now())) throw notLive(input)
  return { ...found, raw: withoutNames(found.raw, input.select, lifetime) }
}

/** The parts of the input of a page that decide its rows. */
interface PageInput {
  readonly table?: string | undefined
  readonly filter?: string | undefined
  readonly select?: readonly string[] | undefined
}

/**
 * Adds the condition on live rows, and the properties that decide it. On Cosmos DB `not` does not select rows that lack
 * a property, so only the rows themselves decide there.
 */
export function liveInput<Input extends PageInput>(
  { service, lifetime }: LiveTable,
  input: Input,
): Input {
  if (lifetime === undefined) return input
  const select = withNames(input.select, lifetime)
  if (service.endpoint.flavour === 'cosmos') return { ...input, select }
  const live = lifetime.liveFilter(service.now())
  const filter = input.filter === undefined ? live : `(${input.filter}) and ${live}`
  return { ...input, select, filter }
}

/**
 * Moves a continuation from one query to another: the condition on live rows has a new time in each page, but tokens
 * belong to the caller's query. A continuation of any third query stays as it is, and is rejected.
 */
export function rebound(
  continuation: ContinuationToken | undefined,
  from: PageInput,
  to: PageInput,
): ContinuationToken | undefined {
  if (from === to || continuation === undefined) return continuation
  return continuation.query === queryDigest(from)
    ? { ...continuation, query: queryDigest(to) }
    : continuation
}

/** Leaves out rows that are not live by this program's clock. */
export function liveRows(
  { service, lifetime }: LiveTable,
  rows: readonly RawEntity[],
  { select }: Pick<PageInput, 'select'>,
): readonly RawEntity[] {
  if (lifetime === undefined) return rows
  const live = rows.filter((raw) => !lifetime.isHidden(raw, service.now()))
  return live.map((raw) => withoutNames(raw, select, lifetime))
}

/** Returns a path that leaves out rows that are not live. */
export function livePath(path: RowPath, lifetime: RowLifetime | undefined): RowPath {
  if (lifetime === undefined) return path
  return {
    explain: (query, table) => path.explain(query, table),
    async fetchPage(query, table, options) {
      const read = { ...query, select: withNames(query.select, lifetime) }
      const page = await path.fetchPage(read, table, options)
      return (
        page && {
          ...page,
          items: liveRows({ ...table, lifetime }, page.items, { select: query.select }),
        }
      )
    },
  }
}

/** Adds the properties that decide whether a row is live to a projection. */
function withNames(
  select: readonly string[] | undefined,
  { names }: RowLifetime,
): readonly string[] | undefined {
  return select && [...new Set([...select, ...names])]
}

/** Removes the properties that the caller did not select. */
function withoutNames(
  raw: RawEntity,
  select: readonly string[] | undefined,
  { names }: RowLifetime,
): RawEntity {
  const added = select === undefined ? [] : names.filter((name) => !select.includes(name))
  if (added.length === 0) return raw
  const hidden = new Set(added.flatMap((name) => [name, annotationName(name)]))
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !hidden.has(name))) as RawEntity
}

/** Makes the error of an insert over a row that is deleted softly: it can be restored. */
export function softlyDeleted({ table, key }: EntityRead): EntityAlreadyExistsError {
  return new EntityAlreadyExistsError({
    message:
      `${table}(PartitionKey='${key.partitionKey}',RowKey='${key.rowKey}') is deleted, but not swept yet, and can be restored. ` +
      'Use lifetimeOf(table).restore or erase, or insertOrReplace.',
    status: 409,
    code: 'EntityAlreadyExists',
    requestId: undefined,
    operation: 'insertEntity',
    mayHaveApplied: false,
  })
}

/** Makes the error of a row that is stored, but has expired or is deleted. */
export function notLive({ table, key }: EntityRead): EntityNotFoundError {
  return new EntityNotFoundError({
    message:
      `${table}(PartitionKey='${key.partitionKey}',RowKey='${key.rowKey}') has expired or is deleted. ` +
      'Read it with lifetimeOf(table).all, as long as it is not swept.',
    status: 404,
    code: 'ResourceNotFound',
    requestId: undefined,
    operation: 'getEntity',
    mayHaveApplied: false,
  })
}
