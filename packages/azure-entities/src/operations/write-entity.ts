import { ETagMismatchError, mayHaveApplied } from '@rowkey/rest'
import type { Definition, Properties, RowSetup } from '../definition/definition.ts'
import {
  cloneProperties,
  type EntityState,
  stateOf,
  toChanges,
  toRow,
} from '../definition/entity-row.ts'
import { entitiesInputError } from '../errors/codes.ts'
import { EntityWriteCongestionError } from '../errors/entity-write-congestion-error.ts'
import type { Row } from '../types/base-type.ts'
import { keyOf, type TableClient } from './table-client.ts'

/** The class of an entity that is written. */
interface WrittenClass {
  /** Its version. */
  readonly definition: Definition
  /** Its keys. */
  readonly setup: RowSetup
  /** Sends its calls. */
  readonly client: TableClient
}

/**
 * Stores a new row.
 *
 * @param written - the class
 * @param properties - all its properties
 * @param overwriteIfExists - whether to replace a row with the same keys
 * @returns the state of the stored row
 */
export async function createEntity(
  { definition, setup, client }: WrittenClass,
  properties: Properties,
  overwriteIfExists: boolean,
): Promise<EntityState> {
  const row = toRow(definition, properties, setup)
  const { etag, etagIsOwn } = await client[overwriteIfExists ? 'put' : 'insert'](row)
  // The response was lost, so that the row may have changed again.
  if (etag === undefined || etagIsOwn === false) {
    const stored = await client.get(keyOf(row))
    return stateOf(definition, setup, stored.row, stored.etag)
  }
  const { partitionKey, rowKey } = keyOf(row)
  return {
    _partitionKey: partitionKey,
    _rowKey: rowKey,
    _version: definition.version,
    _properties: cloneProperties(definition, properties),
    _etag: etag,
  }
}

const MAX_ATTEMPTS = 10

/** The entities whose row has changed since they were read, or may have: a write of them is in doubt. */
const stale = new WeakSet<object>()

/** An entity that is modified: its state, and what reads it again. */
interface ModifiedEntity extends EntityState {
  reload(): Promise<unknown>
}

/** Changes a copy of the properties, which is `this` and the first argument. */
type Modifier = (this: Properties, properties: Properties) => unknown

/**
 * Checks the modifier of `modify`.
 *
 * @throws InputError (`InvalidValue`) for any value that is not a function
 */
export function checkModifier(modifier: unknown): void {
  if (typeof modifier === 'function') return
  throw entitiesInputError(
    'InvalidValue',
    'The modifier of modify must be a function that changes the properties it receives.',
  )
}

/**
 * Runs a modifier on a copy of the properties and sends its changes. When the row changed in
 * between, it reads the row and runs the modifier again, up to ten times.
 *
 * @returns the new state
 * @throws EntityWriteCongestionError when the row changed during each attempt
 * @throws InputError (`KeyChanged`) when the modifier changed a part of the key
 */
export async function modifyEntity(
  modified: WrittenClass,
  entity: ModifiedEntity,
  modifier: Modifier,
): Promise<EntityState> {
  const earlier: Properties[] = []
  for (;;) {
    if (stale.has(entity)) await entity.reload()
    stale.delete(entity)
    const properties = cloneProperties(modified.definition, entity._properties)
    await modifier.call(properties, properties)
    try {
      return await send(modified, entity, properties)
    } catch (cause) {
      const isMismatch = cause instanceof ETagMismatchError
      if (isMismatch || mayHaveApplied(cause)) stale.add(entity)
      if (!isMismatch) throw cause
      if (earlier.length + 1 === MAX_ATTEMPTS) {
        throw new EntityWriteCongestionError({
          table: modified.client.table,
          originalEntity: entity._properties,
          modifiedEntity: properties,
          modifiedEntityAttempts: earlier,
          cause,
        })
      }
      earlier.push(properties)
    }
  }
}

/** Sends the changes, or the whole row when it has an older version. */
async function send(
  { definition, setup, client }: WrittenClass,
  state: EntityState,
  properties: Properties,
): Promise<EntityState> {
  const isCurrent = state._version === definition.version
  const row = isCurrent
    ? toChanges(definition, state._properties, properties, setup)
    : toRow(definition, properties, setup)
  // Equal values may look different, such as a UUID in upper case.
  if (row === undefined) return { ...state, _properties: cloneProperties(definition, properties) }
  checkKeys(definition, state, properties)
  const keyed: Row = { ...row, PartitionKey: state._partitionKey, RowKey: state._rowKey }
  const etag = await client[isCurrent ? 'merge' : 'replace'](keyed, state._etag)
  return {
    ...state,
    _etag: etag,
    _version: definition.version,
    _properties: cloneProperties(definition, properties),
  }
}

function checkKeys(definition: Definition, state: EntityState, properties: Properties): void {
  const { partitionKey, rowKey } = definition
  const isSame =
    partitionKey.exact(properties) === state._partitionKey &&
    rowKey.exact(properties) === state._rowKey
  if (isSame) return
  const names = [...new Set([...partitionKey.covers, ...rowKey.covers])].join(', ')
  throw entitiesInputError(
    'KeyChanged',
    `modify cannot change the properties of the key: ${names}. Create another row and remove this one.`,
  )
}
