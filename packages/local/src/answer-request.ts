import type { HttpRequest, HttpResponse } from '@rowkey/rest'
import type { Answer } from './answer/answer.ts'
import { jsonFaultAnswer, xmlFaultAnswer } from './answer/fault-answer.ts'
import { preferenceOf } from './call/preference.ts'
import { readCall } from './call/read-call.ts'
import type { ServiceCall } from './call/service-call.ts'
import { ServiceFault } from './fault/service-fault.ts'
import { authorize } from './http/authorize.ts'
import { checkBodySize } from './http/check-body-size.ts'
import { locateAccount } from './http/locate-account.ts'
import { isVersion, writeAnswer } from './http/write-answer.ts'
import { chooseOperation } from './operations/choose-operation.ts'
import type { Service } from './service/service.ts'

/** The straight line, read backwards: locate → authorize → take apart → operate → write. */
export async function answerRequest(service: Service, request: HttpRequest): Promise<HttpResponse> {
  const requestId = service.newId()
  const answer = await operate(service, request, requestId).catch((error: unknown) =>
    refusal(service, request, requestId, error),
  )
  return write(service, request, requestId, answer)
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
  { headers: requestHeaders }: HttpRequest,
  requestId: string,
  answer: Answer,
): HttpResponse {
  return writeAnswer(answer, { requestHeaders, requestId, now: service.clock.now() })
}

async function operate(service: Service, request: HttpRequest, requestId: string): Promise<Answer> {
  if (request.method === 'OPTIONS') throw new ServiceFault('NotImplemented')
  const { account, basePath, resourcePath } = locateAccount(service.accounts, request)
  authorize(service, request, account)
  checkVersion(request)
  checkBodySize(request.body ?? '')
  const { method, query, headers, body = '' } = request
  const call = readCall(
    { requestId, account, origin: request.origin, basePath },
    { method, resourcePath, query, headers, body },
  )
  return chooseOperation(call)(service, call).catch((error: unknown) => {
    throw withPreference(error, call)
  })
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

/** Our own mistake: the client learns no more than that, whoever runs the service learns all. */
function unexpected(service: Service, cause: unknown): ServiceFault {
  service.report(cause)
  return new ServiceFault('InternalError', { cause })
}

/** Who may ask is decided by a front end, which speaks XML, as do the operations with a `comp`. */
function isXml(fault: ServiceFault, request: HttpRequest): boolean {
  const isOfFrontEnd =
    fault.code === 'AuthenticationFailed' || fault.code === 'InvalidAuthenticationInfo'
  return isOfFrontEnd || /(?:^|&)comp=/.test(request.query)
}
