import { edmCodecs, encodeBase64Url } from '@rowkey/odata'
import { sha256 } from '../crypto/algorithms.ts'
import type { KeyFormat } from './key-format.ts'
import { isText } from './text-format.ts'

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Bytes as lower-case hexadecimal digits. */
export const hexFormat: KeyFormat = {
  type: 'Binary',
  takes: 'bytes as a Uint8Array',
  occupied: /^[0-9a-f]$/,
  print: (value) =>
    // `X'0aff'`, without the X and the quotes of a filter literal.
    value instanceof Uint8Array ? edmCodecs.Binary.printLiteral(value).slice(2, -1) : undefined,
  parse: (text) => (/^(?:[0-9a-f]{2})*$/.test(text) ? bytesIn(text) : undefined),
}

/** A Guid in lower case. */
export const guidFormat: KeyFormat = {
  type: 'Guid',
  takes: 'a Guid, such as one of crypto.randomUUID()',
  order: 'ascending',
  length: 36,
  print: (value) =>
    typeof value === 'string' && GUID.test(value) ? value.toLowerCase() : undefined,
  parse: (text) => (GUID.test(text) ? text : undefined),
}

/** The SHA-256 of a text's UTF-8 bytes as url-safe base64. It cannot be read back. */
export const hashFormat: KeyFormat = {
  type: 'String',
  takes: 'a text without lone surrogates',
  length: 43,
  print: (value) =>
    isText(value) ? encodeBase64Url(sha256(new TextEncoder().encode(value))) : undefined,
}

function bytesIn(hex: string): Uint8Array {
  const pairs = hex.match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}
