import { redact } from './redact.ts'

/**
 * What a caller is shown of a failure below: its name, code and message, without secrets.
 *
 * The failure itself may carry what was sent or received, and below it other failures that do: the
 * signature of a request is among its headers, and a server may send back what it got.
 *
 * @param cause - what was thrown, which need not be an error
 */
export function shownCause(cause: unknown): Error {
  const { name, message, code } = Object(cause) as { readonly [member: string]: unknown }
  const text = typeof cause === 'object' && cause !== null ? message : cause
  const shown = new Error(redact(isText(text) ? String(text) : ''))
  if (typeof name === 'string') shown.name = redact(name)
  return typeof code === 'string' ? Object.assign(shown, { code: redact(code) }) : shown
}

function isText(value: unknown): value is number | string {
  return typeof value === 'string' || typeof value === 'number'
}
