import { crc32 } from 'node:zlib'

const CHECKSUM_SIZE = 4

/** A record as the engine keeps it: the CRC-32 of its key and its text, then the text in UTF-8. */
export function sealText(key: Buffer, text: string): Buffer {
  const sealed = Buffer.allocUnsafe(CHECKSUM_SIZE + Buffer.byteLength(text))
  sealed.write(text, CHECKSUM_SIZE)
  sealed.writeUInt32BE(checksumOf(key, sealed), 0)
  return sealed
}

/** The text of a record; `undefined` when it is not what was sealed under this key. */
export function unsealText(key: Buffer, sealed: Buffer): string | undefined {
  return isSealed(key, sealed) ? sealed.toString('utf8', CHECKSUM_SIZE) : undefined
}

/** Whether a record is what was once sealed under this key. */
export function isSealed(key: Buffer, sealed: Buffer): boolean {
  return sealed.length >= CHECKSUM_SIZE && checksumOf(key, sealed) === sealOf(sealed)
}

/** The checksum that a record carries. */
export function sealOf(sealed: Buffer): number {
  return sealed.readUInt32BE(0)
}

function checksumOf(key: Buffer, sealed: Buffer): number {
  return crc32(sealed.subarray(CHECKSUM_SIZE), crc32(key))
}
