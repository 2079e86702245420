import { edmCodecs, edmTypeOf, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { encodeText } from '../encryption/byte-text.ts'
import { fourBytes, joinBytes, withLength } from '../encryption/join-bytes.ts'
import { TYPE_CODES, valueBytes } from '../encryption/value-bytes.ts'

/** The properties that are not in the list: the service sets the Timestamp, and the keys come first. */
const NOT_SIGNED: ReadonlySet<string> = new Set(['PartitionKey', 'RowKey', 'Timestamp'])

/**
 * Encodes an entity for signing: both keys, and the name, type and value of every stored property,
 * ordered by name. Two entities that differ in any of these have different bytes, whatever the JSON looks
 * like: docs/encryption.md.
 *
 * @param raw - the stored entity
 * @param signatureName - the property with the signature, which is omitted
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

/**
 * Whether a member is a stored property. `odata.etag` and `<name>@odata.type` contain a dot, property
 * names do not. A null is not stored.
 */
function isSigned(raw: RawEntity, name: string): boolean {
  const value = raw[name]
  return !NOT_SIGNED.has(name) && !name.includes('.') && value !== null && value !== undefined
}

function canonicalProperty(raw: RawEntity, name: string): Uint8Array {
  const type = edmTypeOf(raw, name) ?? 'String' // stored properties have a type
  const value = edmCodecs[type].readJson(raw[name], name)
  return joinBytes(
    withLength(encodeText(name)),
    Uint8Array.of(TYPE_CODES[type]),
    withLength(valueBytes({ type, value })),
  )
}
