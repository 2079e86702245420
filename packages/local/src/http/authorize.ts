import { createHmac, timingSafeEqual } from 'node:crypto'
import { type HttpRequest, stringToSign } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'

/** How far a request's date may be from the service's clock, in milliseconds. */
const MAX_CLOCK_SKEW = 15 * 60 * 1000

/** Requests of this version and later are told how to sign in; earlier ones are only refused. */
const CHALLENGED_SINCE = '2020-12-06'

const SHARED_KEY = /^(SharedKey|SharedKeyLite) ([^:\s]+):([A-Za-z0-9+/]+={0,2})$/

/**
 * Refuses a request that its account's key did not sign, over the path exactly as it was sent.
 *
 * @throws ServiceFault AuthenticationFailed, InvalidAuthenticationInfo, or NotImplemented for a SAS
 */
export function authorize(service: Service, request: HttpRequest, account: string): void {
  const authorization = request.headers.authorization
  if (authorization === undefined) throw unsigned(request)
  if (authorization.startsWith('Bearer ')) throw challenge()
  const [, scheme, name, signature] = SHARED_KEY.exec(authorization) ?? []
  if (scheme === undefined || signature === undefined) {
    throw new ServiceFault('InvalidAuthenticationInfo')
  }
  const key = service.accounts.get(account)
  const date = request.headers['x-ms-date'] ?? request.headers.date ?? ''
  if (name !== account || key === undefined || !isRecent(date, service.clock.now())) {
    throw new ServiceFault('AuthenticationFailed')
  }
  const text = stringToSign(
    scheme === 'SharedKey' ? 'SharedKey' : 'SharedKeyLite',
    request,
    account,
    date,
  )
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(signature, 'base64')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new ServiceFault('AuthenticationFailed')
  }
}

function isRecent(date: string, now: number): boolean {
  return Math.abs(Date.parse(date) - now) <= MAX_CLOCK_SKEW
}

function unsigned(request: HttpRequest): ServiceFault {
  if (/(?:^|&)sig=/.test(request.query)) {
    return new ServiceFault('NotImplemented', {
      text: 'Shared access signatures are not implemented by this service.',
    })
  }
  const version = request.headers['x-ms-version'] ?? ''
  return version >= CHALLENGED_SINCE ? challenge() : new ServiceFault('AuthenticationFailed')
}

function challenge(): ServiceFault {
  return new ServiceFault('InvalidAuthenticationInfo', {
    status: 401,
    text: 'Server failed to authenticate the request. Please refer to the information in the www-authenticate header.',
    headers: {
      'www-authenticate':
        'Bearer authorization_uri=https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/oauth2/authorize resource_id=https://storage.azure.com',
    },
  })
}
