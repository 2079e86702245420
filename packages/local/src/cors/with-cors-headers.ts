import type { HttpRequest, HttpResponse } from '@rowkey/rest'
import type { CorsRule } from '../properties/service-properties.ts'
import { isOpen, matchingRule, namesHeader } from './matching-rule.ts'

/**
 * Adds to an answer what a browser must know before it shows the answer to a page of another origin.
 *
 * The answer to a preflight says all that by itself, and stays as it is.
 *
 * @param rules - of the account; without any the answer stays as it is
 */
export function withCorsHeaders(
  rules: readonly CorsRule[],
  request: HttpRequest,
  response: HttpResponse,
): HttpResponse {
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

/** The names as the rule spells them, with those of this answer for a prefix. */
function exposedBy({ exposedHeaders }: CorsRule, present: readonly string[]): string {
  const literal = exposedHeaders.filter((name) => !name.endsWith('*'))
  const prefixes = exposedHeaders.filter((name) => name.endsWith('*'))
  const begun = present.filter((name) => namesHeader(prefixes, name) && !namesHeader(literal, name))
  return [...literal, ...begun].join(',')
}
