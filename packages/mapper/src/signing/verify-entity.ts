import { DecodeError, keyOfRaw, type RawEntity, readProperty } from '@rowkey/odata'
import { mapperDecodeError } from '../errors/codes.ts'
import { canonicalEntity } from './canonical-entity.ts'
import type { SignatureFailure, SignatureFinding, SigningKeys } from './signing-keys.ts'

const EXPLANATIONS: Readonly<Record<SignatureFailure, string>> = {
  unsigned:
    'it has no signature. It was written by something that does not sign, or its signature was ' +
    "removed. signingKeys({ unsigned: 'read' }) reads such entities while a table is being signed.",
  malformed: 'its signature is not in a format that this version knows.',
  unknownKey:
    'it was signed with a key that is not among the signing keys. Add that key, for as long as ' +
    'entities signed with it are stored.',
  tampered:
    'it is not what was signed: a property was altered, added or removed, the entity was moved, or ' +
    'the key of that id is another one.',
  partial:
    'only a part of it was asked for, and only a whole entity can be verified. Read it whole.',
}

/**
 * Refuses an entity that is not as it was signed.
 *
 * @param keys - the keys that it may be signed with
 * @param raw - the whole entity, as it is stored
 * @param className - the class, for the message
 * @throws DecodeError (`SignatureInvalid`) when it is not
 */
export function verifyEntity(keys: SigningKeys, raw: RawEntity, className: string): void {
  const finding = findFault(keys, raw)
  if (finding === undefined) return
  throw signatureError(className, raw, finding)
}

/** The error for an entity of which only a part was read: it cannot be verified. */
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
  const message = `${className} ${place}${named} is not read: ${EXPLANATIONS[failure]}`
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
    // A value that does not fit its type was never signed.
    if (error instanceof DecodeError) return { failure: 'malformed' }
    throw error
  }
}
