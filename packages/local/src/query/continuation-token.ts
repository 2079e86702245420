import { Rejection } from '../rejection/rejection.ts'

const TOKEN = /^1!\d+!([A-Za-z0-9+/]*-{0,2})$/

/**
 * One part of a continuation token in the service's own form: a version, the length of what
 * follows, and the text's UTF-8 in base64 with `-` for `=`.
 */
export function printTokenPart(text: string): string {
  const encoded = Buffer.from(text).toString('base64').replaceAll('=', '-')
  return `1!${encoded.length}!${encoded}`
}

/** The text of a part; refuses what {@link printTokenPart} cannot have made. */
export function parseTokenPart(part: string): string {
  const encoded = TOKEN.exec(part)?.[1]
  const text =
    encoded === undefined
      ? undefined
      : Buffer.from(encoded.replaceAll('-', '='), 'base64').toString()
  if (text === undefined || printTokenPart(text) !== part) {
    throw new Rejection('InvalidInput', { text: 'The continuation token is not valid.' })
  }
  return text
}
