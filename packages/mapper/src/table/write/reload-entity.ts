import { type InputError, invalidOption } from '@rowkey/odata'
import type { CallOptions, TableService } from '@rowkey/rest'
import type { Mapping } from '../../layers/mapping.ts'
import type { RowLifetime } from '../../model/row-lifetime.ts'
import { etagOf } from '../../snapshot/object-row.ts'
import { isOfRow, isOfTable, type RowOrigin, rowOf, snapshotOf } from '../../snapshot/snapshot.ts'
import { keepReloaded } from '../../snapshot/writes-in-flight.ts'
import { type RowReader, readsOf } from '../read/row-reader.ts'
import { checkSameKey } from './check-snapshot.ts'

/** The object to reload, and its table. */
export interface Reload<Entity extends object> {
  readonly service: TableService
  /** Decides which rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
  readonly mapping: Mapping<Entity>
  readonly origin: RowOrigin
  readonly rows: RowReader<Entity>
  /** The table's name. */
  readonly table: string
  /** The caller's object. */
  readonly entity: Entity
}

/**
 * Reads an entity again, into the same object.
 *
 * @param reload - the object, and its table
 * @param options - the options of the call
 * @returns whether its ETag changed
 * @throws InputError (`ChangedKey`) when its key changed since it was read
 */
export async function reloadEntity<Entity extends object>(
  { service, lifetime, mapping, origin, rows, table, entity }: Reload<Entity>,
  options: CallOptions,
): Promise<boolean> {
  const { codec, shape } = mapping
  const key = codec.keyOf(entity)
  const known = snapshotOf(entity)
  if (known !== undefined && isOfTable(known, origin)) checkSameKey(known, key, 'reload')
  if (Object.isFrozen(entity)) throw frozen(table)
  const isKnown = known !== undefined && isOfRow(known, origin, key)
  const before = etagOf(entity, shape.etagMember(entity), isKnown ? known : undefined)
  const { raw, etag } = await readsOf(lifetime).get(service, { table, key }, options)
  const fresh = rows.read(raw, etag)
  // The caller may have frozen it in the meantime.
  if (Object.isFrozen(entity)) throw frozen(table)
  const snapshot = snapshotOf(fresh)! // it was just read
  shape.refresh(entity, fresh, { row: rowOf(snapshot), etag: snapshot.etag })
  keepReloaded(entity, snapshot)
  return before === undefined || snapshot.etag !== before
}

function frozen(table: string): InputError {
  return invalidOption(
    `reload of table ${table} cannot change a frozen object. Read the entity again with get.`,
  )
}
