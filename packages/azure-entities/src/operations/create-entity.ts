import type { Definition, Properties, Secrets } from '../definition/definition.ts'
import { cloneProperties, toRow } from '../definition/entity-row.ts'
import { type EntityState, stateOf } from '../definition/entity-state.ts'
import { keyOf, type TableClient } from './table-client.ts'

/** The class of an entity that is written. */
export interface WrittenClass {
  /** Its version. */
  readonly definition: Definition
  /** Its keys. */
  readonly secrets: Secrets
  /** Sends its calls. */
  readonly client: TableClient
}

/**
 * Stores a new row.
 *
 * @param written - the class
 * @param properties - all its properties
 * @param overwriteIfExists - whether to replace a row with the same keys
 * @returns what the entity knows of its row
 */
export async function createEntity(
  { definition, secrets, client }: WrittenClass,
  properties: Properties,
  overwriteIfExists: boolean,
): Promise<EntityState> {
  const row = toRow(definition, properties, secrets)
  const { etag, etagIsOwn } = await client[overwriteIfExists ? 'put' : 'insert'](row)
  // The response was lost, so that the row may have changed again.
  if (etag === undefined || etagIsOwn === false) {
    const stored = await client.get(keyOf(row))
    return stateOf(definition, secrets, stored.row, stored.etag)
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
