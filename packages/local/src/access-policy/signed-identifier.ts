import { DateTimeValue } from '@rowkey/odata'

/** A stored access policy of a table. Signatures refer to it by its id. */
export interface SignedIdentifier {
  /** 1 to 64 characters, which signatures name as `si`. */
  readonly id: string
  /** UTC. Absent when the signature sets it. */
  readonly start: DateTimeValue | undefined
  /** UTC. Absent when the signature sets it. */
  readonly expiry: DateTimeValue | undefined
  /** Letters of `raud`. */
  readonly permissions: string | undefined
}

const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?Z)?$/

/** Parses a start or an expiry, either a day or a time in UTC; `undefined` for anything else. */
export function parsePolicyTime(text: string): DateTimeValue | undefined {
  if (!FORM.test(text)) return undefined
  try {
    return DateTimeValue.parse(text)
  } catch {
    return undefined
  }
}

/** Prints a start or an expiry as the service does, always with seven digits. */
export function printPolicyTime(time: DateTimeValue): string {
  const ticks = String(time.ticksPastMs).padStart(4, '0')
  return time.toISOString().replace('Z', `${ticks}Z`)
}

const LETTERS = /^(?=.)r?a?u?d?$/

/** Tells whether a text is valid as the permissions of a table: letters of `raud` in that order. */
export function isTablePermissions(text: string): boolean {
  return LETTERS.test(text)
}
