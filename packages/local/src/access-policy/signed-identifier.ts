import { DateTimeValue } from '@rowkey/odata'

/** A stored access policy: terms that signatures on one table refer to by an id. */
export interface SignedIdentifier {
  /** 1 to 64 characters, which signatures name as `si`. */
  readonly id: string
  /** UTC. Left to the signature when absent. */
  readonly start: DateTimeValue | undefined
  /** UTC. Left to the signature when absent. */
  readonly expiry: DateTimeValue | undefined
  /** Letters of `raud`. */
  readonly permissions: string | undefined
}

const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?Z)?$/

/** A start or an expiry from any of its forms: a day, or a moment in UTC; `undefined` for others. */
export function parsePolicyTime(text: string): DateTimeValue | undefined {
  if (!FORM.test(text)) return undefined
  try {
    return DateTimeValue.parse(text)
  } catch {
    return undefined
  }
}

/** A start or an expiry as the service writes it, with seven digits always. */
export function printPolicyTime(time: DateTimeValue): string {
  const ticks = String(time.ticksPastMs).padStart(4, '0')
  return time.toISOString().replace('Z', `${ticks}Z`)
}

const LETTERS = /^(?=.)r?a?u?d?$/

/** Whether text can be the permissions of a table's signature: letters of `raud`, in that order. */
export function isTablePermissions(text: string): boolean {
  return LETTERS.test(text)
}
