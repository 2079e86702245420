import { describeKind, type EntityKey, InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { keyText } from '../errors/compose-errors.ts'
import {
  currentNames,
  isComplete,
  isOfTable,
  type RowOrigin,
  type Snapshot,
  snapshotOf,
} from '../snapshot/snapshot.ts'

/**
 * Rejects a value that cannot be an entity.
 *
 * @param given - the caller's argument
 * @param method - the call, for the message
 * @param table - the table's name, for the message
 * @throws InputError (`InvalidEntity`)
 */
export function checkObject(
  given: unknown,
  method: string,
  table: string,
): asserts given is object {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return
  throw mapperInputError({
    code: 'InvalidEntity',
    message: `${method} of table ${table} needs an entity, but got ${describeKind(given)}. Pass an object with its properties.`,
  })
}

/**
 * Rejects a write of an entity whose key changed since it was read.
 *
 * @param known - the entity's snapshot of a row in the same table
 * @param key - its current key
 * @param method - the call, for the message
 * @throws InputError (`ChangedKey`) when PartitionKey or RowKey changed since the entity was read
 */
export function checkSameKey(known: Snapshot | undefined, key: EntityKey, method: string): void {
  if (known === undefined) return
  const keyBefore = known.row.key
  const { partitionKey, rowKey } = keyBefore
  if (partitionKey === key.partitionKey && rowKey === key.rowKey) return
  const before = keyText(keyBefore)
  throw mapperInputError({
    code: 'ChangedKey',
    message:
      `${method} of an entity that was read as ${before} but is now ` +
      `${keyText(key)}. A key cannot be changed in place: ` +
      `insert the entity under its new key, and delete ${before}.`,
  })
}

/** Returns the error of a call that would replace a whole entity with a part of it. */
export function partialEntity(method: string): InputError {
  return mapperInputError({
    code: 'ProjectedEntity',
    message:
      `${method} of an entity that was read with select would drop every property that was not ` +
      'selected. Use merge, which sends only what changed, or reload the entity first.',
  })
}

/**
 * Checks that an object with its own ETag has all stored properties: a replace removes the others.
 *
 * @throws InputError (`ProjectedEntity`)
 */
export function checkKnown(snapshot: Snapshot | undefined, etag: string): void {
  const isKnown = snapshot !== undefined && snapshot.etag === etag && isComplete(snapshot)
  if (!isKnown) throw unknownRow(snapshot, etag)
}

/**
 * Checks that a merge with the object's own ETag sends only properties that are known at that version.
 *
 * @param merge - the stored names that it sends, and the table
 * @throws InputError (`StaleProperty`)
 */
export function checkCurrent(
  snapshot: Snapshot | undefined,
  etag: string,
  { names, table }: { readonly names: readonly string[]; readonly table: string },
): void {
  const current = snapshot?.etag === etag ? currentNames(snapshot) : undefined
  const stale = current && names.find((name) => !current.has(name))
  if (stale !== undefined) throw staleProperty(stale, table)
}

/** Whether the snapshot is certain to be the stored row, in the object's version; otherwise a write must find out. */
export function isSettled(snapshot: Snapshot | undefined): boolean {
  return snapshot !== undefined && snapshot.other === undefined && snapshot.exists === undefined
}

/** Whether the row is known to be of the next version of the model. */
export function isLater(snapshot: Snapshot | undefined): snapshot is Snapshot {
  return typeof snapshot?.other === 'object'
}

/** Whether an ETag is that of another version than the snapshot. */
export function isOther(etag: string | undefined, snapshot: Snapshot | undefined): boolean {
  return etag !== undefined && etag !== '*' && etag !== snapshot?.etag
}

/** Returns the error of a replace with the ETag of a row that was not read completely. */
function unknownRow(snapshot: Snapshot | undefined, etag: string): InputError {
  return mapperInputError({
    code: 'ProjectedEntity',
    message: `replace could drop unknown properties: ${reason(snapshot, etag)} Use merge, or reload the entity first, or pass { etag: '*' } to overwrite whatever is stored.`,
  })
}

function reason(snapshot: Snapshot | undefined, etag: string): string {
  if (snapshot === undefined) {
    return 'this object carries an ETag, but it was never read, or it is a copy such as { ...entity }.'
  }
  if (snapshot.etag !== etag) {
    return 'this object carries the ETag of a version that it has not read.'
  }
  return "this object was merged, with etag '*' or an upsert, into a version that it has not read."
}

/** Returns the error of a merge of a property whose value is not known at the version of the ETag. */
function staleProperty(property: string, table: string): InputError {
  return mapperInputError({
    code: 'StaleProperty',
    message:
      `merge in table ${table}: '${property}' was changed, but its stored value is unknown after a write with etag '*' or ` +
      "an upsert. Reload the entity and change it again, or pass { etag: '*' } to overwrite whatever is stored.",
    details: { property },
  })
}

/**
 * Returns the error of a write that has no ETag to use.
 *
 * @param call - the call, for the message
 * @param entity - the object; `undefined` for a key
 * @param origin - the table of the write
 * @param carried - `'*'` when the object has it as its ETag
 */
export function missingEtag(
  call: string,
  entity: object | undefined,
  origin: RowOrigin,
  carried?: string,
): InputError {
  const known = entity && snapshotOf(entity)
  const fix = "pass { etag: '*' } to write whatever is stored now."
  if (carried !== undefined) {
    return new InputError({
      code: 'MissingETag',
      message: `${call} has no ETag: the object has '*', which is the ETag of no row and may come from a request body. Read the entity first, or ${fix}`,
    })
  }
  if (known !== undefined && !isOfTable(known, origin)) {
    return new InputError({
      code: 'MissingETag',
      message: `${call} has no ETag: this object was read from or written to another table, so its ETag does not count here. Read the entity from this table first, or ${fix}`,
    })
  }
  return new InputError({
    code: 'MissingETag',
    message:
      `${call} has no ETag, so it could overwrite a change of another program. Read the entity first and change that object ` +
      `(a copy, such as { ...entity }, does not carry the ETag), or ${fix}`,
  })
}
