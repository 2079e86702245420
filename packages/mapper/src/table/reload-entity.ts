import type { EntityCodec } from '@rowkey/odata'
import {
  type CallOptions,
  getEntity,
  OptionValueError,
  perform,
  type TableService,
} from '@rowkey/rest'
import { checkSameKey } from './check-loaded.ts'

/** What is to be reloaded, and from where. */
export interface Reload<Entity extends object> {
  readonly service: TableService
  readonly codec: EntityCodec<Entity>
  /** The table's name. */
  readonly table: string
  /** The caller's object. */
  readonly entity: Entity
}

/**
 * Reads an entity again, into the same object.
 *
 * @param reload - what, and from where
 * @param options - those of the call
 * @returns whether its ETag is another one than before
 * @throws {@link ChangedKeyError} when its key is another one than that it was read under
 */
export async function reloadEntity<Entity extends object>(
  { service, codec, table, entity }: Reload<Entity>,
  options: CallOptions,
): Promise<boolean> {
  const key = codec.keyOf(entity)
  checkSameKey(codec.storedKeyOf(entity), key, 'reload')
  if (Object.isFrozen(entity)) throw frozen(table)
  const before = codec.etagOf(entity)
  const { raw, etag } = await perform(service, getEntity, { table, key }, options)
  const fresh = codec.read(raw, etag)
  codec.refresh(entity, fresh)
  return before === undefined || codec.etagOf(fresh) !== before
}

function frozen(table: string): OptionValueError {
  return new OptionValueError({
    message: `reload of table ${table} changes the object that it is given, and this one is frozen. Read the entity anew with get.`,
  })
}
