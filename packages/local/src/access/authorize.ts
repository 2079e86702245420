import { type HttpRequest, stringToSign } from '@rowkey/rest'
import type { Located } from '../account/account.ts'
import { Rejection } from '../rejection/rejection.ts'
import {
  BEARER_GRANT,
  type BearerGrant,
  type Grant,
  KEY_GRANT,
} from '../request/service-request.ts'
import type { Service } from '../service/service.ts'
import { hasSas, verifySas } from './verify-sas.ts'

/** How far the date of a request may be from the service's clock, in milliseconds. */
const MAX_CLOCK_SKEW = 15 * 60 * 1000

/** The only form of dates that the service accepts. Others would be read in the local time zone. */
const RFC_1123 = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/** Requests of this version and later receive a challenge; earlier ones only a rejection. */
const CHALLENGED_SINCE = '2020-12-06'

const SHARED_KEY = /^(SharedKey|SharedKeyLite) ([^:\s]+):([A-Za-z0-9+/]+={0,2})$/

/**
 * Determines the permissions of a request. The account's key allows everything when it signed the
 * path
 * exactly as it was sent. Otherwise the bearer token or the shared access signature in the query
 * decides.
 *
 * @param address - the client's IP address, which the `sip` of a shared access signature restricts
 * @throws Rejection AuthenticationFailed, InvalidAuthenticationInfo, or what is wrong with a SAS
 */
export async function authorize(
  service: Service,
  request: HttpRequest,
  located: Located,
  address: string,
): Promise<Grant> {
  const { authorization } = request.headers
  if (authorization === undefined) {
    if (!hasSas(request.query)) throw unsigned(request)
    return verifySas(service, request, located.account, address)
  }
  if (isBearer(authorization)) return verifyBearer(service, request, located, authorization)
  verifySharedKey(service, request, located, authorization)
  return KEY_GRANT
}

function verifySharedKey(
  service: Service,
  request: HttpRequest,
  located: Located,
  authorization: string,
): void {
  const { account } = located
  const [, scheme, name, signature] = SHARED_KEY.exec(authorization) ?? []
  if (scheme === undefined || signature === undefined) {
    throw new Rejection('InvalidAuthenticationInfo')
  }
  const key = service.accounts.get(account)
  const date = request.headers['x-ms-date'] ?? request.headers.date ?? ''
  if (name !== account || key === undefined || !isRecent(date, service.clock.now())) {
    throw new Rejection('AuthenticationFailed')
  }
  const isMatch = (path: string): boolean => {
    const signed = path === request.path ? request : { ...request, path }
    const kind = scheme === 'SharedKey' ? 'SharedKey' : 'SharedKeyLite'
    return key.matches(stringToSign(kind, signed, account, date), signature)
  }
  if (isMatch(request.path)) return
  // In path style the secondary accepts its own path and that of the primary: clients sign either.
  const { basePath, isSecondary } = located
  const pathOfPrimary = `/${account}${request.path.slice(basePath.length)}`
  if (isSecondary && basePath !== '' && isMatch(pathOfPrimary)) return
  throw new Rejection('AuthenticationFailed')
}

/** Many requests have the same date. */
let lastDate = ''
let lastTime = Number.NaN

function isRecent(date: string, now: number): boolean {
  if (date !== lastDate) {
    lastTime = RFC_1123.test(date) ? Date.parse(date) : Number.NaN
    lastDate = date
  }
  return Math.abs(lastTime - now) <= MAX_CLOCK_SKEW
}

function unsigned(request: HttpRequest): Rejection {
  const version = request.headers['x-ms-version'] ?? ''
  return version >= CHALLENGED_SINCE ? challenge() : new Rejection('AuthenticationFailed')
}

/** Makes the rejection that tells a client where to get tokens. It names no real tenant. */
export function challenge(): Rejection {
  return new Rejection('InvalidAuthenticationInfo', {
    status: 401,
    text: 'Server failed to authenticate the request. Please refer to the information in the www-authenticate header.',
    headers: {
      'www-authenticate':
        'Bearer authorization_uri=https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/oauth2/authorize resource_id=https://storage.azure.com',
    },
  })
}

const SCHEME = 'Bearer '

/** Tells whether an Authorization header contains a bearer token. */
export function isBearer(authorization: string): boolean {
  return authorization.startsWith(SCHEME)
}

/**
 * Asks the service's own check about a token. Without a check every token is rejected.
 *
 * @param authorization - the value of the header
 * @throws Rejection InvalidAuthenticationInfo, with the challenge
 */
async function verifyBearer(
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
