import { DecodeError, keyOfRaw, type RawEntity, readProperty } from '@rowkey/odata'
import { mapperDecodeError } from '../errors/codes.ts'
import { canonicalEntity } from './canonical-entity.ts'
import type { SignatureFailure, SignatureFinding, SigningKeys } from './signing-keys.ts'

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
export function verifyEntity(keys: SigningKeys, raw: RawEntity, className: string): void {
  const finding = findFault(keys, raw)
  if (finding === undefined) return
  throw signatureError(className, raw, finding)
}

/** Makes the error of a projection, which cannot be verified. */
export function partialError(className: string, raw: RawEntity): DecodeError {
  return signatureError(className, raw, { failure: 'partial' })
}

function signatureError(
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

function findFault(keys: SigningKeys, raw: RawEntity): SignatureFinding | undefined {
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
