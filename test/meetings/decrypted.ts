import { createDecipheriv } from 'node:crypto'
import type { RawRow } from './raw-rows.ts'

/** The algorithm's id, the nonce, the tag and the type byte, as docs/project/encryption-formats.md describes them. */
const [NONCE, TAG, STRING] = [12, 16, 8]

/**
 * Decrypts a String by the documented format alone, without the code under test.
 *
 * @param row - the row as it is stored
 * @param name - the stored name of the property
 * @param key - the encryption key
 */
export function decrypted(row: RawRow, name: string, key: Uint8Array): string {
  const bytes = Buffer.from(String(row[name]), 'base64')
  const header = bytes.subarray(0, 3 + (bytes[2] ?? 0))
  const nonce = bytes.subarray(header.length, header.length + NONCE)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  const place = [row.PartitionKey, row.RowKey, name].map((text) => counted(String(text)))
  decipher.setAAD(Buffer.concat([header, ...place]))
  decipher.setAuthTag(bytes.subarray(-TAG))
  const sealed = bytes.subarray(header.length + NONCE, -TAG)
  const value = Buffer.concat([decipher.update(sealed), decipher.final()])
  if (value[0] !== STRING) throw new Error(`The type byte is ${value[0]}, not that of a String.`)
  return value.subarray(1).toString('utf8')
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
