import type { HttpRequest } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'
import type { CorsRule } from '../properties/service-properties.ts'
import { matchingRule } from './matching-rule.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects a write that a page of another origin sent, unless a CORS rule allows it. Browsers send
 * some of these without a preflight, and everyone knows the key of the default account. Reads need
 * no check: without a rule the browser hides the response from the page.
 *
 * @param rules - the CORS rules of the account
 * @throws ServiceFault CorsPreflightFailure
 */
export function checkOrigin(rules: readonly CorsRule[], request: HttpRequest): void {
  const { origin } = request.headers
  if (origin === undefined || READS.has(request.method)) return
  if (hostOf(origin) === hostOf(request.origin)) return
  if (matchingRule(rules, origin, request.method) === undefined) {
    throw new ServiceFault('CorsPreflightFailure')
  }
}

/** Host and port, without the scheme: a proxy may have taken https off. */
function hostOf(origin: string): string {
  return origin.replace(/^[a-z]+:\/\//i, '').toLowerCase()
}
