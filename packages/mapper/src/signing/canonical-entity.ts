import { edmCodecs, edmTypeOf, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { encodeText } from '../encryption/byte-text.ts'
import { fourBytes, joinBytes, withLength } from '../encryption/join-bytes.ts'
import { TYPE_CODES, valueBytes } from '../encryption/value-bytes.ts'

/** What the service, and not the caller, says of an entity; the keys come first. */
const NOT_SIGNED: ReadonlySet<string> = new Set(['PartitionKey', 'RowKey', 'Timestamp'])

/**
 * An entity as the bytes that are signed: both keys, and every stored property with its name, its type
 * and its value, in the order of their names. Two entities that differ in any of these come to
 * different bytes, and how the JSON was written does not matter: docs/encryption.md.
 *
 * @param raw - the entity, as it is or will be stored
 * @param signatureName - the property that holds the signature, which is left out
 */
export function canonicalEntity(raw: RawEntity, signatureName: string): Uint8Array {
  const { partitionKey, rowKey } = keyOfRaw(raw)
  const names = Object.keys(raw).filter((name) => isSigned(raw, name) && name !== signatureName)
  return joinBytes(
    withLength(encodeText(partitionKey)),
    withLength(encodeText(rowKey)),
    fourBytes(names.length),
    ...names.sort().map((name) => canonicalProperty(raw, name)),
  )
}

/** No property name holds a dot; `odata.etag` and `<name>@odata.type` do. A null is not stored. */
function isSigned(raw: RawEntity, name: string): boolean {
  const value = raw[name]
  return !NOT_SIGNED.has(name) && !name.includes('.') && value !== null && value !== undefined
}

function canonicalProperty(raw: RawEntity, name: string): Uint8Array {
  const type = edmTypeOf(raw, name) ?? 'String' // it is stored, so it has one
  const value = edmCodecs[type].readJson(raw[name], name)
  return joinBytes(
    withLength(encodeText(name)),
    Uint8Array.of(TYPE_CODES[type]),
    withLength(valueBytes({ type, value })),
  )
}
