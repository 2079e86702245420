import { decodeBase64UrlText, encodeBase64UrlText } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'

const TOKEN = /^1!\d+!([A-Za-z0-9+/]*)-{0,2}$/

/**
 * Prints one part of a continuation token in the service's own form: a version, the length of what
 * follows, and the UTF-8 of the text in base64 with `-` for `=`.
 */
export function printTokenPart(text: string): string {
  const base64 = encodeBase64UrlText(text).replaceAll('-', '+').replaceAll('_', '/')
  const encoded = base64.padEnd(Math.ceil(base64.length / 4) * 4, '-')
  return `1!${encoded.length}!${encoded}`
}

/**
 * Reads the text of a part.
 *
 * @throws Rejection InvalidInput for anything that {@link printTokenPart} cannot have printed
 */
export function parseTokenPart(part: string): string {
  const base64 = TOKEN.exec(part)?.[1] ?? '?'
  const text = decodeBase64UrlText(base64.replaceAll('+', '-').replaceAll('/', '_'))
  if (text === undefined || printTokenPart(text) !== part) {
    throw new Rejection('InvalidInput', { text: 'The continuation token is not valid.' })
  }
  return text
}
