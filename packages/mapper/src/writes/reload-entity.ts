import { type DecodeError, type EntityKey, type InputError, invalidOption } from '@rowkey/odata'
import type { Call } from '@rowkey/rest'
import { mapperDecodeError } from '../errors/codes.ts'
import { keyText } from '../errors/compose-errors.ts'
import { readRow } from '../rows/read-row.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { etagOf, keyOfObject, writeRow } from '../snapshot/object-row.ts'
import { isOfRow, isOfTable, snapshotOf } from '../snapshot/snapshot.ts'
import { keepReloaded } from '../snapshot/written-object.ts'
import { checkSameKey } from './check-snapshot.ts'

/**
 * Reads an entity again, into the same object.
 *
 * @param table - its table
 * @param entity - the caller's object
 * @param call - the call
 * @returns whether its ETag changed
 * @throws InputError (`ChangedKey`) when its key changed since it was read
 */
export async function reloadEntity<Entity extends object>(
  table: TableParts<Entity>,
  entity: Entity,
  call: Call,
): Promise<boolean> {
  const { name, rows, origin, types } = table
  const mapping = types.ofEntity(entity)
  const { codec, shape } = mapping
  const key = keyOfObject(codec, entity)
  rows.checkKey(key)
  const known = snapshotOf(entity)
  if (known !== undefined && isOfTable(known, origin)) checkSameKey(known, key, 'reload')
  if (Object.isFrozen(entity)) throw frozen(name)
  const isKnown = known !== undefined && isOfRow(known, origin, key)
  const before = etagOf(entity, shape.etagMember(entity), isKnown ? known : undefined)
  const { raw, etag } = await rows.get(call, { table: name, key })
  const fresh = readRow(table, raw, etag)
  if (types.ofRow(raw) !== mapping) throw ofAnotherType({ table: name, ...key })
  // The caller may have frozen it in the meantime.
  if (Object.isFrozen(entity)) throw frozen(name)
  const snapshot = snapshotOf(fresh)! // it was just read
  // The row of another version is not what the class of this one reads.
  const { row } = snapshot.other ? writeRow(codec, fresh) : snapshot
  shape.refresh(entity, fresh, { row, etag: snapshot.etag })
  keepReloaded(entity, snapshot)
  return before === undefined || snapshot.etag !== before
}

function frozen(table: string): InputError {
  return invalidOption(`reload of table ${table} cannot change a frozen object. Use get.`)
}

function ofAnotherType({ table, ...key }: EntityKey & { readonly table: string }): DecodeError {
  const message = `The row ${keyText(key)} of table ${table} now has another type, so it cannot be reloaded into this object. Read it with get.`
  return mapperDecodeError({ code: 'UnknownType', message, details: { ...key } })
}
