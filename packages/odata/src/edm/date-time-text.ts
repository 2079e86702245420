/** An instant in two parts: whole milliseconds since 1970 and 100-ns ticks past them, 0 to 9,999. */
export interface InstantParts {
  readonly ms: number
  readonly ticksPastMs: number
}

/** 1601-01-01T00:00:00Z, the first instant that the service stores. */
export const MIN_MS = -11_644_473_600_000
/** The last millisecond of the year 9999; with 9,999 ticks it is the last instant. */
export const MAX_MS = 253_402_300_799_999

const MINUTE = 60_000

const LENIENT =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d))?)?$/i

/**
 * Parses an ISO 8601 instant with up to seven fraction digits: in UTC (`Z`), with an offset, or with
 * neither, which is UTC too; a date alone is its midnight.
 *
 * @returns `undefined` for any other text, and outside of 1601 to 9999
 */
export function parseInstant(text: string): InstantParts | undefined {
  const parts = parseUtc(text) ?? parseLenient(text)
  return parts !== undefined && parts.ms >= MIN_MS && parts.ms <= MAX_MS ? parts : undefined
}

/** Parses the service's own form, `2017-11-10T02:46:55.7383596Z`, in half the time of `Date`. */
function parseUtc(text: string): InstantParts | undefined {
  const seconds = parseSeconds(text)
  if (Number.isNaN(seconds)) return undefined
  const last = text.length - 1
  if (text[last] !== 'Z') return undefined
  if (last === 19) return { ms: seconds, ticksPastMs: 0 }
  const digits = last - 20
  if (text[19] !== '.' || digits < 1 || digits > 7) return undefined
  const ticks = digitsOf(text, 20, last) * 10 ** (7 - digits)
  if (Number.isNaN(ticks)) return undefined
  return { ms: seconds + Math.floor(ticks / 10_000), ticksPastMs: ticks % 10_000 }
}

/** Parses `2017-11-10T02:46:55` to milliseconds since 1970, or NaN. */
function parseSeconds(text: string): number {
  const isShaped =
    text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':' && text[16] === ':'
  if (!isShaped) return Number.NaN
  const year = digitsOf(text, 0, 4)
  const month = digitsOf(text, 5, 7)
  const day = digitsOf(text, 8, 10)
  const hour = digitsOf(text, 11, 13)
  const minute = digitsOf(text, 14, 16)
  const second = digitsOf(text, 17, 19)
  const isTime = hour < 24 && minute < 60 && second < 60
  // Date.UTC reads years below 100 as 1900 and later; the service begins at 1601.
  const isDay = year >= 1600 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  return isTime && isDay ? Date.UTC(year, month - 1, day, hour, minute, second) : Number.NaN
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Parses the decimal number between two places, or returns NaN. */
function digitsOf(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

/** Parses the other forms that the service accepts. */
function parseLenient(text: string): InstantParts | undefined {
  const match = LENIENT.exec(text)
  if (match === null) return undefined
  const [
    ,
    date,
    time = '00:00',
    second = '00',
    fraction = '',
    sign = '+',
    hours = '0',
    minutes = '0',
  ] = match
  const offset = Number(hours) * 60 + Number(minutes)
  const exact = fraction.slice(0, 7).padEnd(7, '0')
  const isLossless = /^0*$/.test(fraction.slice(7))
  if (!isLossless || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const utc = parseUtc(`${date}T${time}:${second}.${exact}Z`)
  return utc && { ms: utc.ms - Number(`${sign}${offset}`) * MINUTE, ticksPastMs: utc.ticksPastMs }
}

/**
 * Prints an instant as the service does: up to seven fraction digits without trailing zeros, and `Z`.
 *
 * @param ms - whole milliseconds since 1970, from {@link MIN_MS} to {@link MAX_MS}
 * @param ticksPastMs - 0 to 9,999
 */
export function printInstant(ms: number, ticksPastMs: number): string {
  const minute = Math.floor(ms / MINUTE)
  // A digit in front keeps leading zeros; then come two digits of seconds and seven.
  const digits = String(1_000_000_000 + (ms - minute * MINUTE) * 10_000 + ticksPastMs)
  let end = digits.length
  while (end > 3 && digits.charCodeAt(end - 1) === 48) end--
  const fraction = end === 3 ? '' : `.${digits.slice(3, end)}`
  return `${minuteText(minute)}${digits.slice(1, 3)}${fraction}Z`
}

/** Instants that are printed in succession are often of the same minute. */
let last = { minute: 0, text: '1970-01-01T00:00:' }

function minuteText(minute: number): string {
  if (minute !== last.minute) {
    last = { minute, text: new Date(minute * MINUTE).toISOString().slice(0, 17) }
  }
  return last.text
}
