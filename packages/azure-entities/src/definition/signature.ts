import { createHmac, timingSafeEqual } from 'node:crypto'
import { entitiesDecodeError } from '../errors/codes.ts'
import type { Row } from '../types/base-type.ts'
import type { Definition, Properties } from './definition.ts'

/**
 * Signs properties with HMAC-SHA-512: for each property in the order of the names, the length of the name
 * (32 bits, big-endian), the name, the length of the hashed value and the hashed value.
 *
 * @param definition - the version of the properties
 * @param properties - their values
 * @param signingKey - the key, as UTF-8
 */
export function signatureOf(
  { mapping }: Definition,
  properties: Properties,
  signingKey: string,
): Buffer {
  const hmac = createHmac('sha512', signingKey)
  for (const name of Object.keys(mapping).sort()) {
    for (const part of [name, mapping[name]!.hash(properties[name])]) {
      const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      hmac.update(length).update(bytes)
    }
  }
  return hmac.digest()
}

/**
 * Verifies the signature of a row.
 *
 * @param row - the row
 * @param expected - the signature of its properties
 * @throws DecodeError (`SignatureMismatch`) when the row has another signature, or has none
 */
export function verifySignature(row: Row, expected: Buffer): void {
  const stored =
    typeof row.Signature === 'string' ? Buffer.from(row.Signature, 'base64') : undefined
  if (stored?.length === expected.length && timingSafeEqual(stored, expected)) return
  throw entitiesDecodeError(
    'SignatureMismatch',
    'Signature validation failed: the row was changed by someone without the signingKey, or signed with another key.',
  )
}
