import type { Answered } from './answered.ts'

/** Less than the 15 minutes that the service allows, more than any answer takes. */
const NOTABLE_SKEW = 5 * 60 * 1000

/**
 * What to look at when the service does not accept who is asking.
 *
 * @param answered - the answer, whose date shows how far the two clocks are apart
 * @returns words to put after the error's message
 */
export function authenticationAdvice({ response, endpoint, now }: Answered): string {
  const skew = Date.parse(response.headers.date ?? '') - now
  const clock =
    Math.abs(skew) > NOTABLE_SKEW
      ? `The clock of this machine is ${Math.round(Math.abs(skew) / 60_000)} minutes ${skew > 0 ? 'behind' : 'ahead of'} the service's, which allows 15: set it right.`
      : 'The key may be wrong or rotated, the clock of this machine wrong, or the permission missing.'
  return `. The account is '${endpoint.account}'. ${clock}`
}
