import type { HttpRequest } from '@rowkey/rest'
import type { Located } from '../service/locate-account.ts'
import type { Service } from '../service/service.ts'
import { challenge } from './challenge.ts'
import { BEARER_GRANT, type BearerGrant } from './grant.ts'

const SCHEME = 'Bearer '

/** Whether an Authorization header holds a bearer token. */
export function isBearer(authorization: string): boolean {
  return authorization.startsWith(SCHEME)
}

/**
 * Asks the service's check whether a token lets the request in; without a check none does.
 *
 * @param authorization - the header's value
 * @throws ServiceFault InvalidAuthenticationInfo, with the challenge
 */
export async function verifyBearer(
  service: Service,
  request: HttpRequest,
  { account, isSecondary }: Located,
  authorization: string,
): Promise<BearerGrant> {
  const token = authorization.slice(SCHEME.length).trim()
  const { method, path } = request
  const isLetIn = await service.checkBearer?.(token, { account, method, path, isSecondary })
  if (isLetIn !== true) throw challenge()
  return BEARER_GRANT
}
