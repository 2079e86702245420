import type { HttpHeaders } from '../http/http-request.ts'

/**
 * How long the service asks to wait: `x-ms-retry-after-ms`, `retry-after-ms`, or `retry-after` in
 * seconds or as a date. What makes no sense is ignored.
 *
 * @param headers - the answer's headers
 * @param now - milliseconds since 1970, UTC
 * @returns milliseconds, not negative; `undefined` when the service does not say
 */
export function readRetryAfter(headers: HttpHeaders, now: number): number | undefined {
  return (
    number(headers['x-ms-retry-after-ms']) ??
    number(headers['retry-after-ms']) ??
    seconds(headers['retry-after']) ??
    untilDate(headers['retry-after'], now)
  )
}

const NUMBER = /^\s*\d{1,12}(?:\.\d{1,6})?\s*$/

function number(text: string | undefined): number | undefined {
  return text !== undefined && NUMBER.test(text) ? Number(text) : undefined
}

function seconds(text: string | undefined): number | undefined {
  const value = number(text)
  return value === undefined ? undefined : value * 1000
}

function untilDate(text: string | undefined, now: number): number | undefined {
  // Only the form of HTTP, which ends so: Date.parse makes a date of almost anything.
  if (text?.trim().endsWith(' GMT') !== true) return undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
