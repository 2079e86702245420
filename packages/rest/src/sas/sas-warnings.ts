import type { SasTerms } from './sas-terms.ts'

const SLACK = 5 * 60_000
const LONG_LIFE = 24 * 60 * 60_000

/**
 * What is unwise about a token although it works.
 *
 * @param terms - what it was asked to say
 * @param spr - the protocols that it allows in the end
 * @param policy - the stored policy that can revoke it, if any
 * @see https://learn.microsoft.com/azure/storage/common/storage-sas-overview
 */
export function sasWarnings(
  terms: SasTerms,
  spr: string | undefined,
  policy: string | undefined,
): string[] {
  const { start, expiry, now = Date.now } = terms
  const warnings: string[] = []
  if (spr !== 'https') {
    warnings.push("It may be used over plain http, where others can read it: say protocol 'https'.")
  }
  if (start !== undefined && Math.abs(start.getTime() - now()) < SLACK) {
    warnings.push(
      'It starts less than 5 minutes from now, so a clock that differs refuses it at first: leave start out, or let it lie further back.',
    )
  }
  if (expiry !== undefined && expiry.getTime() - now() > LONG_LIFE && policy === undefined) {
    warnings.push(
      'It lives longer than a day and can be revoked only by changing the account key: let it expire sooner, or base it on a stored access policy.',
    )
  }
  return warnings
}
