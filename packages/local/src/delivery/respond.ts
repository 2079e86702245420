import type { HttpRequest } from '@rowkey/rest'
import { authorize } from '../access/authorize.ts'
import { checkOrigin, withCorsHeaders } from '../access/cors.ts'
import { checkPermission } from '../access/permissions.ts'
import { type Located, locateAccount } from '../account/account.ts'
import { StoreError } from '../errors/store-error.ts'
import { chooseOperation } from '../operations/choose-operation.ts'
import { preflightTableRequest } from '../operations/preflight-table-request.ts'
import { Rejection } from '../rejection/rejection.ts'
import { ClientGone } from '../request/client.ts'
import { withPreference } from '../request/content-negotiation.ts'
import { checkWritable, readRequest, withBody } from '../request/read-request.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { completeResponse, isVersion } from '../response/complete-response.ts'
import {
  cosmosRejection,
  invalidUrl,
  jsonRejection,
  xmlRejection,
} from '../response/rejection-response.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import { placeOf, type Service } from '../service/service.ts'
import type { CorsRule } from '../service-properties/service-properties.ts'
import { type DeliverySource, LOOPBACK } from './delivery.ts'

/**
 * Responds to a request: the line of a call, read backwards. It locates the account, authorizes the
 * request, reads it, the body last, runs its operation and writes the response.
 *
 * @param source - where the request came from
 * @throws ClientGone when the client no longer waits for the response
 */
export async function respond(
  service: Service,
  request: HttpRequest,
  source: DeliverySource = {},
): Promise<ServiceResponse> {
  const requestId = service.newId()
  let rules: readonly CorsRule[] = []
  let response: ServiceResponse
  // The web server before the service rejects these, and knows neither accounts nor rules.
  if (service.flavour !== 'cosmos' && hasControls(request.path)) return invalidUrl()
  try {
    const located = locateAccount(service.accounts, request)
    const place = await placeOf(service, located.isSecondary)
    rules = (await place.store.properties(located.account)).cors
    checkOrigin(rules, request)
    response = await operate(place, request, { located, requestId, client: source })
  } catch (error) {
    if (error instanceof ClientGone) throw error
    response = rejectionResponse(service, request, requestId, error)
  }
  return withCorsHeaders(rules, request, write(service, request, requestId, response))
}

/** Tells whether a path contains control characters. */
function hasControls(path: string): boolean {
  return /%(?:[01][\da-f]|7f)/i.test(path)
}

/** Responds with a rejection to a request that was not read. */
export function reject(
  service: Service,
  request: HttpRequest,
  rejection: Rejection,
): ServiceResponse {
  const requestId = service.newId()
  const response = rejectionResponse(service, request, requestId, rejection)
  return write(service, request, requestId, response)
}

function write(
  service: Service,
  { headers: requestHeaders, query }: HttpRequest,
  requestId: string,
  response: ServiceResponse,
): ServiceResponse {
  const { clock, flavour } = service
  return completeResponse(response, { requestHeaders, query, requestId, now: clock.now(), flavour })
}

interface Arrived {
  readonly located: Located
  readonly requestId: string
  readonly client: DeliverySource
}

async function operate(
  place: Service,
  httpRequest: HttpRequest,
  { located, requestId, client }: Arrived,
): Promise<ServiceResponse> {
  const { account, isSecondary, basePath, resourcePath } = located
  const { method, origin, query, headers, body = '' } = httpRequest
  const { flavour } = place
  if (method === 'OPTIONS') {
    if (flavour === 'cosmos') throw new Rejection('NotImplemented')
    return preflightTableRequest(place, account, headers)
  }
  const grant = await authorize(place, httpRequest, located, client.address ?? LOOPBACK)
  const head = readRequest(
    { requestId, flavour, account, client, grant, isSecondary, origin, basePath },
    { method, resourcePath, query, headers, body: '' },
  )
  checkVersion(head)
  const operation = chooseOperation(head)
  checkPermission(head)
  if (head.resource.kind !== 'batch') checkWritable(head)
  // Not earlier: no credential covers a body, and the bodies of strangers would fill the memory.
  const request = withBody(head, (await client.body?.()) ?? body)
  try {
    return await operation(place, request)
  } catch (error) {
    if (flavour === 'cosmos' || !(error instanceof Rejection)) throw error
    throw withPreference(error, request)
  }
}

function checkVersion({ headers, query }: ServiceRequest): void {
  const version = headers['x-ms-version']
  if (version !== undefined && !isVersion(version)) throw new Rejection('InvalidHeaderValue')
  const parameter = query.get('api-version')
  if (parameter !== undefined && !isVersion(parameter)) {
    throw new Rejection('InvalidQueryParameterValue')
  }
}

function rejectionResponse(
  service: Service,
  request: HttpRequest,
  requestId: string,
  error: unknown,
): ServiceResponse {
  const rejection = error instanceof Rejection ? error : internalError(service, error)
  const context = { requestId, now: service.clock.now(), accept: request.headers.accept }
  if (service.flavour === 'cosmos') return cosmosRejection(rejection, context)
  return isXml(rejection, request)
    ? xmlRejection(rejection, context)
    : jsonRejection(rejection, context)
}

/**
 * Reports an error of the service itself. The response says what is wrong with the store, because its
 * owner can mend that, but not where the store is. It says nothing about other errors.
 */
function internalError(service: Service, cause: unknown): Rejection {
  service.report(cause)
  const text = cause instanceof StoreError ? `The store ${cause.problem}` : undefined
  return new Rejection('InternalError', { text })
}

/** The front end, which authenticates, writes XML. So do the operations with a `comp`. */
function isXml(rejection: Rejection, request: HttpRequest): boolean {
  const isOfFrontEnd =
    rejection.code === 'AuthenticationFailed' || rejection.code === 'InvalidAuthenticationInfo'
  return isOfFrontEnd || request.method === 'OPTIONS' || /(?:^|&)comp=/.test(request.query)
}
