import { edmCodecs } from '@rowkey/odata'
import type { KeyFormat } from './key-format.ts'
import { isText } from './text-format.ts'

/** Text as the url-safe base64 of its UTF-8 bytes, without padding. */
export const base64urlFormat: KeyFormat = {
  type: 'String',
  takes: 'a text without half surrogate pairs',
  occupied: /^[A-Za-z0-9_-]$/,
  print: (value) => (isText(value) ? toBase64url(new TextEncoder().encode(value)) : undefined),
  parse(text) {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64url(text))
    } catch {
      return undefined
    }
  },
}

/** Bytes as url-safe base64 without padding: https://datatracker.ietf.org/doc/html/rfc4648#section-5 */
export function toBase64url(bytes: Uint8Array): string {
  const json = edmCodecs.Binary.writeJson(bytes)
  return json.slice(1, -1).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64url(text: string): Uint8Array {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return edmCodecs.Binary.readJson(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='), '')
}
