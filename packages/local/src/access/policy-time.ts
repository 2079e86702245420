import { DateTimeValue } from '@rowkey/odata'

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
