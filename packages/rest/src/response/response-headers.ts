import type { HttpHeaders, HttpResponse } from '../http/transport.ts'

/**
 * Reads the wait that the service requests: `x-ms-retry-after-ms`, `retry-after-ms`, or `retry-after`
 * in seconds or as a date. Ignores anything else.
 *
 * @param headers - the response's headers; their `date` is the clock that a date counts by
 * @param now - milliseconds since 1970, UTC, for a response without `date`; without both, a date is ignored
 * @returns milliseconds, 0 or more; `undefined` when the service does not ask
 */
export function readRetryAfter(headers: HttpHeaders, now?: number): number | undefined {
  return (
    readNumber(headers['x-ms-retry-after-ms']) ??
    readNumber(headers['retry-after-ms']) ??
    readSeconds(headers['retry-after']) ??
    untilDate(headers, now)
  )
}

const NUMBER = /^\s*\d{1,12}(?:\.\d{1,6})?\s*$/

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && NUMBER.test(text) ? Number(text) : undefined
}

function readSeconds(text: string | undefined): number | undefined {
  const seconds = readNumber(text)
  return seconds === undefined ? undefined : seconds * 1000
}

function untilDate(
  { 'retry-after': text, date }: HttpHeaders,
  now: number = Number.NaN,
): number | undefined {
  // HTTP dates end like this; Date.parse accepts almost anything.
  if (text?.trim().endsWith(' GMT') !== true) return undefined
  const sentAt = Date.parse(String(date))
  // The clock of this machine may be wrong by any amount.
  const wait = Date.parse(text) - (Number.isNaN(sentAt) ? now : sentAt)
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const REQUEST_ID = /^[\w-]{1,64}$/

/**
 * Returns the service's id of a request; `undefined` when the response has none, or text that is not
 * an id and might be anything.
 *
 * @param response - a response, or a part of one
 */
export function requestIdOf({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  const id = headers['x-ms-request-id']
  return id !== undefined && REQUEST_ID.test(id) ? id : undefined
}
