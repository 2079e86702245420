import type { HttpRequest, HttpResponse } from '@rowkey/rest'
import { authorize } from './access/authorize.ts'
import { checkPermission } from './access/check-permission.ts'
import type { Answer } from './answer/answer.ts'
import { jsonFaultAnswer, xmlFaultAnswer } from './answer/fault-answer.ts'
import { checkWritable } from './call/check-writable.ts'
import { preferenceOf } from './call/preference.ts'
import { readCall } from './call/read-call.ts'
import type { ServiceCall } from './call/service-call.ts'
import { checkOrigin } from './cors/check-origin.ts'
import { withCorsHeaders } from './cors/with-cors-headers.ts'
import { StoreError } from './errors/store-error.ts'
import { ServiceFault } from './fault/service-fault.ts'
import { checkBodySize } from './http/check-body-size.ts'
import { LOOPBACK } from './http/client-address.ts'
import { isVersion, writeAnswer } from './http/write-answer.ts'
import { chooseOperation } from './operations/choose-operation.ts'
import { preflightTableRequest } from './operations/preflight-table-request.ts'
import type { CorsRule } from './properties/service-properties.ts'
import { type Located, locateAccount } from './service/locate-account.ts'
import { placeOf } from './service/place-of.ts'
import type { Service } from './service/service.ts'

/**
 * The straight line, read backwards: locate → authorize → take apart → operate → write.
 *
 * @param address - the client's IP address
 */
export async function answerRequest(
  service: Service,
  request: HttpRequest,
  address: string = LOOPBACK,
): Promise<HttpResponse> {
  const requestId = service.newId()
  let rules: readonly CorsRule[] = []
  let answer: Answer
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
export function refuseRequest(
  service: Service,
  request: HttpRequest,
  fault: ServiceFault,
): HttpResponse {
  const requestId = service.newId()
  return write(service, request, requestId, refusal(service, request, requestId, fault))
}

function write(
  service: Service,
  { headers: requestHeaders, query }: HttpRequest,
  requestId: string,
  answer: Answer,
): HttpResponse {
  return writeAnswer(answer, { requestHeaders, query, requestId, now: service.clock.now() })
}

interface Arrived extends Located {
  readonly requestId: string
  readonly address: string
}

async function operate(place: Service, request: HttpRequest, arrived: Arrived): Promise<Answer> {
  const { requestId, account, isSecondary, basePath, resourcePath } = arrived
  const { method, origin, query, headers, body = '' } = request
  if (method === 'OPTIONS') return preflightTableRequest(place, account, headers)
  const grant = await authorize(place, request, arrived)
  checkVersion(request)
  checkBodySize(body)
  const call = readCall(
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
function withPreference(error: unknown, call: ServiceCall): unknown {
  const preference = preferenceOf(call)
  if (preference === undefined || !(error instanceof ServiceFault)) return error
  return error.but({ headers: { ...error.headers, 'preference-applied': preference } })
}

function checkVersion(request: HttpRequest): void {
  const version = request.headers['x-ms-version']
  if (version !== undefined && !isVersion(version)) throw new ServiceFault('InvalidHeaderValue')
}

function refusal(
  service: Service,
  request: HttpRequest,
  requestId: string,
  error: unknown,
): Answer {
  const fault = error instanceof ServiceFault ? error : unexpected(service, error)
  const context = { requestId, now: service.clock.now(), accept: request.headers.accept }
  return isXml(fault, request) ? xmlFaultAnswer(fault, context) : jsonFaultAnswer(fault, context)
}

/**
 * Reports an error of the service itself. The client is told what is wrong with the store, since its
 * owner can mend that, but not where the store is; of anything else it is told nothing.
 */
function unexpected(service: Service, cause: unknown): ServiceFault {
  service.report(cause)
  const text = cause instanceof StoreError ? `The store ${cause.problem}` : undefined
  return new ServiceFault('InternalError', { text, cause })
}

/** Who may ask is decided by a front end, which speaks XML, as do the operations with a `comp`. */
function isXml(fault: ServiceFault, request: HttpRequest): boolean {
  const isOfFrontEnd =
    fault.code === 'AuthenticationFailed' || fault.code === 'InvalidAuthenticationInfo'
  return isOfFrontEnd || request.method === 'OPTIONS' || /(?:^|&)comp=/.test(request.query)
}
