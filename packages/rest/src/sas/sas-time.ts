import { SasError } from '../errors/sas-error.ts'

/** The years that have four digits, which is all that a token can say. */
const LATEST = Date.UTC(10_000, 0)

/**
 * A moment as a shared access signature writes it: `2099-01-01T00:00:00Z`. What is finer than a
 * second is cut off.
 *
 * @param date - the moment
 * @param name - the option, for the message
 * @throws {@link SasError} when it is no Date, or outside of the years 0 to 9999
 */
export function printSasTime(date: Date, name: string): string {
  const time = date instanceof Date ? date.getTime() : Number.NaN
  if (time < LATEST && date.getUTCFullYear() >= 0) return `${date.toISOString().slice(0, 19)}Z`
  throw new SasError({ message: `${name} of a SAS must be a valid Date before the year 10000.` })
}

/**
 * The moment of a `st` or `se`, in any of the forms that services accept: a date alone, minutes,
 * seconds, or up to seven digits more.
 *
 * @param text - the parameter's value
 * @returns milliseconds since 1970, UTC, or `undefined` when it is no moment
 */
export function parseSasTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
