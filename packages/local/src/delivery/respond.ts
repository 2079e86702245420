import type { HttpRequest, HttpResponse } from '@rowkey/rest'
import { authorize } from '../access/authorize.ts'
import { checkOrigin, withCorsHeaders } from '../access/cors.ts'
import { checkPermission } from '../access/permissions.ts'
import { type Located, locateAccount } from '../account/locate-account.ts'
import { StoreError } from '../errors/store-error.ts'
import { chooseOperation } from '../operations/choose-operation.ts'
import { preflightTableRequest } from '../operations/preflight-table-request.ts'
import { Rejection } from '../rejection/rejection.ts'
import { preferenceOf } from '../request/content-negotiation.ts'
import { readRequest } from '../request/read-request.ts'
import { checkBodySize, checkWritable } from '../request/request-checks.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { completeResponse, isVersion } from '../response/complete-response.ts'
import { jsonRejection, xmlRejection } from '../response/rejection-response.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import { placeOf, type Service } from '../service/service.ts'
import type { CorsRule } from '../service-properties/service-properties.ts'
import { LOOPBACK } from './delivery.ts'

/**
 * The straight line, read backwards: locate → authorize → take apart → operate → write.
 *
 * @param address - the client's IP address
 */
export async function respond(
  service: Service,
  request: HttpRequest,
  address: string = LOOPBACK,
): Promise<HttpResponse> {
  const requestId = service.newId()
  let rules: readonly CorsRule[] = []
  let answer: ServiceResponse
  try {
    const located = locateAccount(service.accounts, request)
    const place = await placeOf(service, located.isSecondary)
    rules = (await place.store.properties(located.account)).cors
    checkOrigin(rules, request)
    answer = await operate(place, request, { ...located, requestId, address })
  } catch (error) {
    answer = refusal(service, request, requestId, error)
  }
  return withCorsHeaders(rules, request, write(service, request, requestId, answer))
}

/** The answer to a request that was refused before anybody could take it apart. */
export function reject(service: Service, request: HttpRequest, fault: Rejection): HttpResponse {
  const requestId = service.newId()
  return write(service, request, requestId, refusal(service, request, requestId, fault))
}

function write(
  service: Service,
  { headers: requestHeaders, query }: HttpRequest,
  requestId: string,
  answer: ServiceResponse,
): HttpResponse {
  return completeResponse(answer, { requestHeaders, query, requestId, now: service.clock.now() })
}

interface Arrived extends Located {
  readonly requestId: string
  readonly address: string
}

async function operate(
  place: Service,
  request: HttpRequest,
  arrived: Arrived,
): Promise<ServiceResponse> {
  const { requestId, account, isSecondary, basePath, resourcePath } = arrived
  const { method, origin, query, headers, body = '' } = request
  if (method === 'OPTIONS') return preflightTableRequest(place, account, headers)
  const grant = await authorize(place, request, arrived)
  checkVersion(request)
  checkBodySize(body)
  const call = readRequest(
    { requestId, account, grant, isSecondary, origin, basePath },
    { method, resourcePath, query, headers, body },
  )
  const operation = chooseOperation(call)
  checkPermission(call)
  if (call.resource.kind !== 'batch') checkWritable(call)
  try {
    return await operation(place, call)
  } catch (error) {
    throw withPreference(error, call)
  }
}

/** A refused insert still says which preference it would have honoured. */
function withPreference(error: unknown, call: ServiceRequest): unknown {
  const preference = preferenceOf(call)
  if (preference === undefined || !(error instanceof Rejection)) return error
  return error.but({ headers: { ...error.headers, 'preference-applied': preference } })
}

function checkVersion(request: HttpRequest): void {
  const version = request.headers['x-ms-version']
  if (version !== undefined && !isVersion(version)) throw new Rejection('InvalidHeaderValue')
}

function refusal(
  service: Service,
  request: HttpRequest,
  requestId: string,
  error: unknown,
): ServiceResponse {
  const fault = error instanceof Rejection ? error : unexpected(service, error)
  const context = { requestId, now: service.clock.now(), accept: request.headers.accept }
  return isXml(fault, request) ? xmlRejection(fault, context) : jsonRejection(fault, context)
}

/**
 * Reports an error of the service itself. The client is told what is wrong with the store, since its
 * owner can mend that, but not where the store is; of anything else it is told nothing.
 */
function unexpected(service: Service, cause: unknown): Rejection {
  service.report(cause)
  const text = cause instanceof StoreError ? `The store ${cause.problem}` : undefined
  return new Rejection('InternalError', { text, cause })
}

/** Who may ask is decided by a front end, which speaks XML, as do the operations with a `comp`. */
function isXml(fault: Rejection, request: HttpRequest): boolean {
  const isOfFrontEnd =
    fault.code === 'AuthenticationFailed' || fault.code === 'InvalidAuthenticationInfo'
  return isOfFrontEnd || request.method === 'OPTIONS' || /(?:^|&)comp=/.test(request.query)
}
