import {
  DecodeError,
  edmCodecs,
  edmTypeOf,
  keyOfRaw,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import { encodeText } from '../encryption/byte-text.ts'
import { fourBytes, joinBytes, withLength } from '../encryption/join-bytes.ts'
import { TYPE_CODES, valueBytes } from '../encryption/value-bytes.ts'
import { mapperDecodeError } from '../errors/codes.ts'

/** Why an entity is rejected; the explanations below say more. */
export type SignatureFailure = 'unsigned' | 'malformed' | 'unknownKey' | 'tampered' | 'partial'

/** The reason why a signature is rejected, and the id of its key. */
export interface SignatureFinding {
  readonly failure: SignatureFailure
  readonly keyId?: string
}

/** Signs bytes and checks signatures; `SigningKeys` is one. */
export interface EntitySigner {
  /** The property of the signature. */
  readonly property: string
  /** Whether entities without a signature are read. */
  readonly readsUnsigned: boolean
  /** Signs bytes. */
  sign(content: Uint8Array): Uint8Array
  /** Checks a signature; returns the fault, or `undefined` when it is valid. */
  findFault(signature: Uint8Array, content: Uint8Array): SignatureFinding | undefined
}

const EXPLANATIONS: Readonly<Record<SignatureFailure, string>> = {
  unsigned:
    'it has no signature. A program that does not sign wrote it, or its signature was ' +
    "removed. While you sign an existing table, signingKeys({ unsigned: 'read' }) reads these entities.",
  malformed: 'its signature is not in a known format.',
  unknownKey:
    'it was signed with an unknown key. Add that key to the ring, and keep it as long as ' +
    'entities that it signed are stored.',
  tampered:
    'it was tampered with: a property was altered, added or removed, the entity was moved, or ' +
    'the key with this id is a different one.',
  partial:
    'only a part of it was requested, but only a whole entity can be verified. Read the whole entity.',
}

/**
 * Rejects an entity whose signature is missing or wrong.
 *
 * @param keys - the signing keys
 * @param raw - the whole stored entity
 * @param className - the class, for the message
 * @throws DecodeError (`SignatureInvalid`) when the signature is missing or wrong
 */
export function verifyEntity(keys: EntitySigner, raw: RawEntity, className: string): void {
  const finding = findFault(keys, raw)
  if (finding === undefined) return
  throw signatureError(className, raw, finding)
}

/** Makes the error of an entity that is rejected. */
export function signatureError(
  className: string,
  raw: RawEntity,
  { failure, keyId }: SignatureFinding,
): DecodeError {
  const key = keyOfRaw(raw)
  const place = JSON.stringify([key.partitionKey, key.rowKey])
  const named = keyId === undefined ? '' : ` (key '${keyId}')`
  const message = `${className} ${place}${named} was rejected: ${EXPLANATIONS[failure]}`
  const details = { ...key, reason: failure, keyId }
  return mapperDecodeError({ code: 'SignatureInvalid', message, details })
}

function findFault(keys: EntitySigner, raw: RawEntity): SignatureFinding | undefined {
  try {
    const signature = readProperty(raw, keys.property)
    if (signature === undefined) return keys.readsUnsigned ? undefined : { failure: 'unsigned' }
    const { type, value } = signature
    const isBytes = type === 'Binary' && value instanceof Uint8Array
    if (!isBytes) return { failure: 'malformed' }
    return keys.findFault(value, canonicalEntity(raw, keys.property))
  } catch (error) {
    // An invalid value was never signed.
    if (error instanceof DecodeError) return { failure: 'malformed' }
    throw error
  }
}

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
