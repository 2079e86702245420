import { dynamicEntityCodec, InputError } from '@rowkey/odata'
import { resolveEntity, selectNames } from '@rowkey/query'
import { type Call, type CallOptions, callOf, callOptions, type EntityRead } from '@rowkey/rest'
import { requestsInOrder } from '../options/account-level.ts'
import { checkOneKey, targetKey } from './entity-target.ts'
import { existsError, targetsError } from './read-errors.ts'
import { type AnyReadOptions, type ManyOptions, manyOptions, readOptions } from './read-options.ts'
import { readRow, revealRow } from './read-row.ts'
import { sharedRead } from './shared-read.ts'
import type { TableParts } from './table-parts.ts'

/**
 * Reads one entity, some of its properties, or a value that a resolver makes of it.
 *
 * @returns `undefined` from `find` for a missing entity
 * @throws InputError (`InvalidEntityKey`) when the target does not name an entity
 * @throws InputError with the code `InvalidQuery` for a property that is not stored, and without a property
 * @throws DecodeError with the code `ResolverFailed` when the resolver throws
 */
export async function readEntity<Entity extends object>(
  table: TableParts<Entity>,
  method: 'get' | 'find',
  target: unknown,
  options: AnyReadOptions,
): Promise<unknown> {
  const { service, name, rows, queryModel } = table
  const where = `${method} of table ${name}`
  checkOneKey(options, where)
  readOptions.check(options, where)
  const { select, resolve, ...call } = options
  const input = readOf(target, table)
  const read = select === undefined ? input : { ...input, select: selectNames(queryModel, select) }
  const shared = {
    rows,
    method,
    call: callOf(service, call, where),
    input: read,
  }
  const found = await sharedRead(shared)
  if (found === undefined) return undefined
  const { raw, etag } = found
  if (resolve === undefined) return readRow(table, raw, etag, select !== undefined)
  const entity = dynamicEntityCodec.read(revealRow(table, raw), etag)
  return resolveEntity(resolve, entity, queryModel.name, name)
}

/** Tells whether an entity exists; reads nothing but its key. */
export async function entityExists<Entity extends object>(
  table: TableParts<Entity>,
  target: unknown,
  options: CallOptions,
): Promise<boolean> {
  const where = `exists of table ${table.name}`
  checkOneKey(options, where)
  callOptions.check(options, where)
  const { service, rows, types } = table
  const read = readOf(target, table)
  const { rules } = types.ofKey(target)
  const select = ['PartitionKey', 'RowKey', ...rules.flatMap(({ names }) => names)]
  const found = await rows.find(callOf(service, options, where), { ...read, select })
  if (found === undefined) return false
  for (const rule of rules) {
    rule.checkKey?.(read.key)
    rule.check?.(found.raw)
  }
  return true
}

/** Tells whether the entity exists that the only argument of `exists` names. */
export async function onlyExists<Entity extends object>(
  table: TableParts<Entity>,
  target: unknown,
): Promise<boolean> {
  try {
    return await entityExists(table, target, {})
  } catch (error) {
    if (target === null || Array.isArray(target) || !(error instanceof InputError)) throw error
    throw existsError(Object(target), table.name, error)
  }
}

/** Reads several entities by their keys, and asks once for equal keys. */
export async function readMany<Entity extends object>(
  table: TableParts<Entity>,
  targets: Iterable<unknown>,
  options: ManyOptions,
): Promise<(Entity | undefined)[]> {
  const { service, name, rows } = table
  const where = `getMany of table ${name}`
  manyOptions.check(options, where)
  if (!isIterable(targets)) throw targetsError(where)
  const { concurrency, ...rest } = options
  const places = placesByKey(Array.from(targets, (target) => readOf(target, table)))
  return service.call(rest, where, async (call) => {
    const entities: (Entity | undefined)[] = []
    const read = async ({ input, indexes }: ReadPlaces, each: Call) => {
      const found = await rows.find(each, input)
      for (const index of indexes) {
        entities[index] = found && readRow(table, found.raw, found.etag)
      }
    }
    const results = requestsInOrder(call, places, read, {
      concurrency,
      partitionOf: ({ input }) => input.key.partitionKey,
    })
    for await (const _ of results);
    return entities
  })
}

/** A read, and the places of its entity in the result. */
interface ReadPlaces {
  readonly input: EntityRead
  readonly indexes: number[]
}

function placesByKey(inputs: readonly EntityRead[]): readonly ReadPlaces[] {
  const places = new Map<string, ReadPlaces>()
  inputs.forEach((input, index) => {
    const row = JSON.stringify([input.key.partitionKey, input.key.rowKey])
    const known = places.get(row)
    if (known === undefined) places.set(row, { input, indexes: [index] })
    else known.indexes.push(index)
  })
  return [...places.values()]
}

/** @throws InputError (`InvalidEntityKey`) when the target does not name an entity */
function readOf<Entity extends object>(
  target: unknown,
  { name, rows, types }: TableParts<Entity>,
): EntityRead {
  return { table: name, key: targetKey(target, { mapping: types.ofKey(target), rows }) }
}

/** JavaScript callers may pass anything. */
function isIterable(targets: Partial<Iterable<unknown>> | null | undefined): boolean {
  return typeof targets?.[Symbol.iterator] === 'function'
}
