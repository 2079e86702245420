import type { HttpHeaders } from '@rowkey/rest'
import { matchingRule, namesHeader } from '../access/cors.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'

/**
 * Preflight Table Request: `OPTIONS` on any path of an account, sent by browsers without a
 * signature.
 */
export async function preflightTableRequest(
  service: Service,
  account: string,
  headers: HttpHeaders,
): Promise<ServiceResponse> {
  const { origin } = headers
  const method = headers['access-control-request-method']
  if (!origin || !method) {
    throw new Rejection('InvalidHeaderValue', {
      text: 'A required CORS header is not present.',
    })
  }
  const { cors } = await service.store.properties(account)
  const rule = matchingRule(cors, origin, method)
  const asked = headers['access-control-request-headers']
  if (rule === undefined || !namesAll(rule.allowedHeaders, asked)) {
    throw new Rejection('CorsPreflightFailure')
  }
  const answered: Record<string, string> = {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': method,
    'access-control-max-age': String(rule.maxAge),
    'access-control-allow-credentials': 'true',
  }
  if (asked) answered['access-control-allow-headers'] = asked
  return { status: 200, headers: answered, body: '' }
}

function namesAll(allowed: readonly string[], asked = ''): boolean {
  const names = asked.split(',').map((name) => name.trim())
  return names.every((name) => name === '' || namesHeader(allowed, name))
}
