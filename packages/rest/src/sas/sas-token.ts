import { restInputError } from '../errors/codes.ts'

const QUERY_TEXT = /^[\x21-\x7e]+$/

/**
 * Checks the text of a shared access signature.
 *
 * @param token - the token as a percent-encoded query string; a leading `?` is removed
 * @returns the token without the `?`
 * @throws `InputError` (`InvalidCredential`) when the text is not a SAS, without the text
 */
export function checkSasToken(token: unknown): string {
  const text = typeof token === 'string' ? token.replace(/^\?/, '') : ''
  const names = text.split('&').map((pair) => pair.split('=', 1)[0])
  if (names.includes('sig') && names.includes('sv') && QUERY_TEXT.test(text)) return text
  throw restInputError({
    code: 'InvalidCredential',
    message:
      'The shared access signature is invalid: it must be a percent-encoded query string with sv and sig.',
  })
}

/**
 * Parses a `st` or `se` in any form that services accept: a date, minutes, seconds, or up to seven
 * more digits.
 *
 * @param text - the parameter's value
 * @returns milliseconds since 1970, UTC; `undefined` for anything else
 */
export function parseSasTime(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}
