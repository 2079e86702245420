import { decodeBase64UrlText, encodeBase64UrlText, isWellFormed } from '@rowkey/odata'
import type { KeyFormat } from './key-format.ts'

/** What formats of text accept, for messages. */
export const TAKEN_TEXT = 'a text without lone surrogates'

/** Text as it is. */
export const textFormat: KeyFormat = {
  type: 'String',
  takes: TAKEN_TEXT,
  order: 'ascending',
  prefixes: true,
  print: (value) => (isText(value) ? value : undefined),
  parse: (text) => text,
}

/** Returns whether a value is text that UTF-8 can carry. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value)
}

/**
 * The characters that the service forbids in a key; `%`, which some servers decode twice; and `!`, which begins
 * an escape.
 */
const FORBIDDEN = /[/\\#?%!\p{Cc}]/u
const ESCAPE = /!(?:u([0-9a-f]{4})|([0-9a-f]{2}))/g

/** Text with `/ \ # ? % !`, control characters and the separator as `!2f`, `!5c` and so on. */
export const escapedFormat: KeyFormat = {
  type: 'String',
  takes: TAKEN_TEXT,
  prefixes: true,
  occupied: /^[!u0-9a-f]$/,
  print: (value, separator) => (isText(value) ? escapeText(value, separator) : undefined),
  parse: (text) =>
    text.replace(ESCAPE, (_escape, long?: string, short?: string) =>
      String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
    ),
}

/** Text as the url-safe base64 of its UTF-8 bytes, without padding. */
export const base64urlFormat: KeyFormat = {
  type: 'String',
  takes: TAKEN_TEXT,
  occupied: /^[A-Za-z0-9_-]$/,
  print: (value) => (isText(value) ? encodeBase64UrlText(value) : undefined),
  parse: decodeBase64UrlText,
}

function escapeText(text: string, separator: string): string {
  let escaped = ''
  for (const unit of text.split('')) {
    escaped += unit === separator || FORBIDDEN.test(unit) ? escapeUnit(unit) : unit
  }
  return escaped
}

function escapeUnit(unit: string): string {
  const hex = unit.charCodeAt(0).toString(16)
  return hex.length <= 2 ? `!${hex.padStart(2, '0')}` : `!u${hex.padStart(4, '0')}`
}
