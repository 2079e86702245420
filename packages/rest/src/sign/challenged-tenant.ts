import type { HttpResponse } from '../http/http-response.ts'

const AUTHORIZATION_URI = /\bauthorization(?:_uri)?="?([^\s",]+)/i
const TENANT = /^[A-Za-z0-9.-]+$/

/**
 * The tenant that a service wants tokens of: the first segment of the `authorization_uri` in its
 * challenge.
 *
 * @param response - an answer of status 401
 * @returns `undefined` when it names none
 */
export function challengedTenant({ headers }: HttpResponse): string | undefined {
  const challenge = headers['www-authenticate'] ?? ''
  const uri = /^bearer\b/i.test(challenge) ? AUTHORIZATION_URI.exec(challenge)?.[1] : undefined
  if (uri === undefined || !URL.canParse(uri)) return undefined
  const tenant = new URL(uri).pathname.split('/')[1] ?? ''
  return TENANT.test(tenant) ? tenant : undefined
}
