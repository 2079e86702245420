import { crc32 } from 'node:zlib'

/** Hexadecimal digits before the text. */
export const CHECKSUM_LENGTH = 8

/** A record as the engine keeps it: the CRC-32 of its key and its text in hexadecimal, then the text. */
export function sealText(key: string, text: string): string {
  return printChecksum(key, text) + text
}

/** The text of a record; `undefined` when it is not what was sealed under this key. */
export function unsealText(key: string, sealed: string): string | undefined {
  const text = sealed.slice(CHECKSUM_LENGTH)
  return sealed.startsWith(printChecksum(key, text)) ? text : undefined
}

/** Whether a record is what was once sealed under this key. */
export function isSealed(key: string, sealed: string): boolean {
  return unsealText(key, sealed) !== undefined
}

/** The checksum that a record carries. */
export function sealOf(sealed: string): number {
  return Number.parseInt(sealed.slice(0, CHECKSUM_LENGTH), 16)
}

/** Of the bytes of UTF-8: what damage makes of them is another text, and has another checksum. */
function printChecksum(key: string, text: string): string {
  return crc32(key + text)
    .toString(16)
    .padStart(CHECKSUM_LENGTH, '0')
}
