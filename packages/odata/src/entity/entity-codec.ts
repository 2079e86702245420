import type { EntityKey } from './entity-key.ts'

/**
 * One entity as it came over the wire: the parsed JSON object, with `<name>@odata.type` beside every
 * value whose type the JSON alone does not show (whole Doubles included: see {@link parseEntityJson}).
 */
export interface RawEntity {
  readonly [member: string]: unknown
}

/**
 * The seam between the wire and the caller's objects: writes an entity straight to JSON text and
 * reads one straight from the parsed response, with no property bag in between.
 *
 * A codec is made once per class or model and remembers nothing of the entities that pass through it.
 * {@link dynamicEntityCodec} is the one for rows without a declared class.
 */
export interface EntityCodec<Entity> {
  /**
   * Returns PartitionKey and RowKey of an entity: strings that a request can carry.
   *
   * @throws {@link InputError} when a half of the key is missing or cannot be sent
   */
  keyOf(entity: Entity): EntityKey
  /** Writes the whole entity as JSON text, as an insert, a replace or an upsert sends it. */
  write(entity: Entity): string
  /**
   * Reads an entity from one JSON object of a response.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity response; `odata.etag` in the object wins
   */
  read(raw: RawEntity, etag?: string): Entity
}
