import { restInputError } from '../errors/codes.ts'

const QUERY_TEXT = /^[\x21-\x7e]+$/
const SIGNATURE = /(?<=^|&)sig=([^&]*)/g

/**
 * Checks the text of a shared access signature.
 *
 * @param token - the token as a percent-encoded query string; a leading `?` is removed
 * @returns the token without the `?`, and with the `+` of its signature percent-encoded: services read `+` as a blank
 * @throws `InputError` (`InvalidCredential`) when the text is not a SAS, without the text
 */
export function checkSasToken(token: unknown): string {
  const text = typeof token === 'string' ? token.replace(/^\?/, '') : ''
  const names = text.split('&').map((pair) => pair.split('=', 1)[0])
  if (names.includes('sig') && names.includes('sv') && QUERY_TEXT.test(text)) {
    return text.replaceAll(SIGNATURE, (pair) => pair.replaceAll('+', '%2B'))
  }
  throw invalidToken('it must be a percent-encoded query string with sv and sig.')
}

/** An HMAC-SHA256 in base64. */
const HMAC = /^[A-Za-z0-9+/]{43}=$/

/**
 * Rejects a signature that no key can have made.
 *
 * @param token - the token, from {@link checkSasToken}
 * @throws `InputError` (`InvalidCredential`) with what happened to the signature, without the text
 */
export function checkSasSignature(token: string): void {
  const [signature = '', ...others] = Array.from(token.matchAll(SIGNATURE), ([, sig = '']) =>
    decodedOnce(sig),
  )
  if (others.length > 0) throw invalidToken('it has several sig. Use one token.')
  if (HMAC.test(signature)) return
  if (HMAC.test(decodedOnce(signature))) {
    throw invalidToken('its sig is percent-encoded twice. Decode the token once.')
  }
  throw invalidToken(
    `its sig has ${signature.length} characters once decoded; a signature has 43 of base64 and '=' at its end. Copy the whole token.`,
  )
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function invalidToken(fault: string): Error {
  return restInputError({
    code: 'InvalidCredential',
    message: `The shared access signature is invalid: ${fault}`,
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
