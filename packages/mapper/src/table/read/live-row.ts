import { queryDigest, type RawEntity } from '@rowkey/odata'
import {
  type Call,
  type ContinuationToken,
  type EntitiesQuery,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  type EntityRead,
  ETagMismatchError,
  entityName,
  findEntity,
  getEntity,
  queryEntities,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import { pickMembers } from '../../member/stored-member.ts'
import type { LiveInsert, RowLifetime, RowReads } from '../../model/row-lifetime.ts'

type Lifetime = Pick<RowLifetime, 'names' | 'isHidden' | 'checkExpired' | 'liveFilter'>

/** Makes the reads that leave out rows that are not live. */
export function liveReads(lifetime: Lifetime): RowReads {
  return {
    async find(call, input) {
      const found = await call.perform(findEntity, withNames(input, lifetime))
      if (found === undefined || lifetime.isHidden(found.raw, call.service.now())) return undefined
      return { ...found, raw: withoutNames(found.raw, input.select, lifetime) }
    },

    async get(call, input) {
      const found = await call.perform(getEntity, withNames(input, lifetime))
      if (lifetime.isHidden(found.raw, call.service.now())) throw notLive(input)
      return { ...found, raw: withoutNames(found.raw, input.select, lifetime) }
    },

    async page(call, input) {
      const { service } = call
      const live = liveQuery(service, input, lifetime)
      const query = { ...live, continuation: rebound(input.continuation, input, live) }
      const { entities, continuation } = await call.perform(queryEntities, query)
      // The service compared with a time that has passed.
      const rows = entities.filter((raw) => !lifetime.isHidden(raw, service.now()))
      return {
        entities: rows.map((raw) => withoutNames(raw, input.select, lifetime)),
        continuation: rebound(continuation, live, input),
      }
    },
  }
}

/**
 * Adds the condition on live rows, and the properties that decide it. On Cosmos DB `not` does not select rows that lack
 * a property, so only the rows themselves decide there.
 */
function liveQuery(service: TableService, input: EntitiesQuery, lifetime: Lifetime): EntitiesQuery {
  const read = withNames(input, lifetime)
  if (service.endpoint.flavour === 'cosmos') return read
  const live = lifetime.liveFilter(service.now())
  return { ...read, filter: input.filter === undefined ? live : `(${input.filter}) and ${live}` }
}

/**
 * Moves a continuation from one query to another: the condition on live rows has a new time in each page, but tokens
 * belong to the caller's query. A continuation of any third query stays as it is, and is rejected.
 */
function rebound(
  continuation: ContinuationToken | undefined,
  from: EntitiesQuery,
  to: EntitiesQuery,
): ContinuationToken | undefined {
  return continuation?.query === queryDigest(from)
    ? { ...continuation, query: queryDigest(to) }
    : continuation
}

/** Adds the properties that decide whether a row is live to a projection. */
function withNames<Input extends { readonly select?: readonly string[] | undefined }>(
  input: Input,
  { names }: Lifetime,
): Input {
  const { select } = input
  return select === undefined ? input : { ...input, select: [...new Set([...select, ...names])] }
}

/** Removes the properties that the caller did not select. */
function withoutNames(
  raw: RawEntity,
  select: readonly string[] | undefined,
  { names }: Lifetime,
): RawEntity {
  const added = select === undefined ? [] : names.filter((name) => !select.includes(name))
  if (added.length === 0) return raw
  return pickMembers(raw, (name) => !added.includes(name))
}

/**
 * Inserts an entity. An expired row that rejects the insert is replaced by its ETag, or the insert is sent again when the
 * row was swept in between.
 *
 * @param lifetime - decides whether the row has expired
 * @param insert - the insert
 * @param call - the call
 * @throws the error of the insert when the row has not expired, or changed since it was read
 */
export function insertLive(
  lifetime: Lifetime,
  insert: LiveInsert,
  call: Call,
): Promise<WriteResult> {
  return call.run(async () => {
    try {
      return await insert.send(call)
    } catch (error) {
      if (!(error instanceof EntityAlreadyExistsError)) throw error
      return insertOver(error, lifetime, insert, call)
    }
  })
}

async function insertOver(
  error: EntityAlreadyExistsError,
  lifetime: Lifetime,
  { input, send, replace }: LiveInsert,
  call: Call,
): Promise<WriteResult> {
  const { now } = call.service
  const found = await call.atPrimary().perform(findEntity, input)
  if (found === undefined) return send(call)
  if (found.etag === undefined || !lifetime.isHidden(found.raw, now())) throw error
  lifetime.checkExpired(found.raw, input, now())
  try {
    return await replace(found.etag, call)
  } catch (cause) {
    if (cause instanceof EntityNotFoundError) return send(call)
    throw cause instanceof ETagMismatchError ? error : cause
  }
}

/** Makes the error of an insert over a row that is deleted softly: it can be restored. */
export function softlyDeleted(row: EntityRead): EntityAlreadyExistsError {
  return taken(
    row,
    'is deleted, but not swept yet, and can be restored. Use lifetimeOf(table).restore or erase, or insertOrReplace.',
  )
}

/** Makes the error of an insert over a row of another model, whose times mean something else. */
export function ofAnotherType(row: EntityRead): EntityAlreadyExistsError {
  return taken(row, 'is a row of another type. Choose another key.')
}

function taken(row: EntityRead, problem: string): EntityAlreadyExistsError {
  return new EntityAlreadyExistsError({
    ...factsOf(row, problem),
    status: 409,
    code: 'EntityAlreadyExists',
    operation: 'insertEntity',
  })
}

/** Makes the error of a row that is stored, but has expired or is deleted. */
function notLive(row: EntityRead): EntityNotFoundError {
  const problem =
    'has expired or is deleted. Read it with lifetimeOf(table).all, as long as it is not swept.'
  return new EntityNotFoundError({
    ...factsOf(row, problem),
    status: 404,
    code: 'ResourceNotFound',
    operation: 'getEntity',
  })
}

/** Returns the facts of an error that this program finds, and not the service. */
function factsOf({ table, key }: EntityRead, problem: string) {
  return {
    message: `${entityName({ table, key })} ${problem}`,
    requestId: undefined,
    mayHaveApplied: false,
  }
}
