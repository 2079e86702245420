import type { HttpRequest } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { CorsRule } from '../service-properties/service-properties.ts'

/** Returns the first rule for an origin and a method. The service tries no other. */
export function matchingRule(
  rules: readonly CorsRule[],
  origin: string,
  method: string,
): CorsRule | undefined {
  return rules.find(
    (rule) =>
      (isOpen(rule) || rule.allowedOrigins.includes(origin)) &&
      rule.allowedMethods.includes(method),
  )
}

/** Tells whether a rule is for every origin. */
export function isOpen(rule: CorsRule): boolean {
  return rule.allowedOrigins.includes('*')
}

/** Tells whether a rule names a header, in full or by a prefix. */
export function namesHeader(names: readonly string[], header: string): boolean {
  const wanted = header.toLowerCase()
  return names.some((name) => {
    const known = name.toLowerCase()
    return known.endsWith('*') ? wanted.startsWith(known.slice(0, -1)) : known === wanted
  })
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects a write that a page of another origin sent, unless a CORS rule allows it. Browsers send
 * some of these without a preflight, and everyone knows the key of the default account. Reads need
 * no check: without a rule the browser hides the response from the page.
 *
 * @param rules - the CORS rules of the account
 * @throws Rejection CorsPreflightFailure
 */
export function checkOrigin(rules: readonly CorsRule[], request: HttpRequest): void {
  const { origin } = request.headers
  if (origin === undefined || READS.has(request.method)) return
  if (hostOf(origin) === hostOf(request.origin)) return
  if (matchingRule(rules, origin, request.method) === undefined) {
    throw new Rejection('CorsPreflightFailure')
  }
}

/** Returns host and port without the scheme: a proxy may have removed https. */
function hostOf(origin: string): string {
  return origin.replace(/^[a-z]+:\/\//i, '').toLowerCase()
}

/**
 * Adds the headers that a browser needs before it shows a response to a page of another origin. The
 * response to a preflight has them already, and stays as it is.
 *
 * @param rules - the CORS rules of the account; without rules the response stays as it is
 */
export function withCorsHeaders(
  rules: readonly CorsRule[],
  request: HttpRequest,
  response: ServiceResponse,
): ServiceResponse {
  if (rules.length === 0 || request.method === 'OPTIONS') return response
  const { origin } = request.headers
  const rule = origin === undefined ? undefined : matchingRule(rules, origin, request.method)
  const isForAll = rule === undefined ? origin === undefined && rules.some(isOpen) : isOpen(rule)
  const headers: Record<string, string> = { ...response.headers }
  if (rule !== undefined && origin !== undefined) {
    headers['access-control-allow-origin'] = isForAll ? '*' : origin
    if (!isForAll) headers['access-control-allow-credentials'] = 'true'
    const exposed = exposedBy(rule, Object.keys(response.headers))
    if (exposed !== '') headers['access-control-expose-headers'] = exposed
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && !isForAll) headers.vary = 'Origin'
  return { ...response, headers }
}

/**
 * Lists the names as the rule spells them, and the headers of this response that match a prefix.
 */
function exposedBy({ exposedHeaders }: CorsRule, present: readonly string[]): string {
  const literal = exposedHeaders.filter((name) => !name.endsWith('*'))
  const prefixes = exposedHeaders.filter((name) => name.endsWith('*'))
  const begun = present.filter((name) => namesHeader(prefixes, name) && !namesHeader(literal, name))
  return [...literal, ...begun].join(',')
}
