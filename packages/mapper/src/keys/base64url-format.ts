import { decodeBase64UrlText, encodeBase64UrlText } from '@rowkey/odata'
import type { KeyFormat } from './key-format.ts'
import { isText } from './text-format.ts'

/** Writes text as the url-safe base64 of its UTF-8 bytes, without padding. */
export const base64urlFormat: KeyFormat = {
  type: 'String',
  takes: 'a text without half surrogate pairs',
  occupied: /^[A-Za-z0-9_-]$/,
  print: (value) => (isText(value) ? encodeBase64UrlText(value) : undefined),
  parse: decodeBase64UrlText,
}
