import type { Endpoint } from '../endpoint/endpoint.ts'
import {
  AuthenticationError,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  ServiceError,
  type ServiceErrorOptions,
  TableAlreadyExistsError,
  TableNotFoundError,
} from '../errors/service-error.ts'
import { redact } from '../http/redact.ts'
import { type HttpRequest, type HttpResponse, isRead } from '../http/transport.ts'
import type { OperationTraits } from '../request/operation.ts'
import { resourceOf } from '../request/resource.ts'
import { readXml } from '../xml/read-xml.ts'
import { requestIdOf } from './response-headers.ts'

/** The request that an error belongs to. */
export interface FailedRequest {
  readonly request: HttpRequest
  /** The input of the operation. */
  readonly input: unknown
  readonly endpoint: Endpoint
  /** What to do, when the service rejected the credential; from `authenticationAdvice`. */
  readonly advice?: string | undefined
}

/** A class of errors of the service. */
export type ServiceErrorClass = new (options: ServiceErrorOptions) => ServiceError

/**
 * Makes the error for a response of 400 or above.
 *
 * @param operation - the operation that failed
 * @param response - the response
 * @param body - what the response says
 * @param failed - the request
 */
export function serviceErrorOf(
  operation: OperationTraits,
  response: HttpResponse,
  body: ErrorBody,
  failed: FailedRequest,
): ServiceError {
  const { status } = response
  const ErrorClass = body.isForeign ? ServiceError : errorClassOf(status, body.code, operation)
  const advice = failed.advice ?? adviceFor(ErrorClass, operation, failed)
  const requestId = requestIdOf(response)
  const facts = `${status} ${body.code}${requestId ? `, request id ${requestId}` : ''}`
  return new ErrorClass({
    message: `${operation.name} of ${resourceOf(failed.input, failed.endpoint)} failed: ${body.message} (${facts})${advice}`,
    status,
    code: body.code,
    requestId,
    operation: operation.name,
    mayHaveApplied: !isRead(failed.request) && mayHaveAppliedAfter(status, body.code),
  })
}

/** Says what to do about an error that programs often meet. */
function adviceFor(
  ErrorClass: ServiceErrorClass,
  { name }: OperationTraits,
  { endpoint }: FailedRequest,
): string {
  switch (ErrorClass) {
    case EntityAlreadyExistsError:
      return '. To write it whether it exists or not, use insertOrMerge or insertOrReplace.'
    case ETagMismatchError:
      return '. The entity changed since it was read: reload it and repeat the change, or use modify, which does both.'
    case TableNotFoundError: {
      const check = `its name and the account '${endpoint.account}'.`
      if (name === 'deleteTable') return `. Check ${check}`
      return `. Create the table with create(), or check ${check}`
    }
    case EntityNotFoundError:
      if (endpoint.flavour !== 'cosmos') return ''
      return '. Cosmos DB says the same when the table does not exist.'
    default:
      return ''
  }
}

/**
 * Tells whether a status rejects the credential.
 *
 * @param status - the response's HTTP status
 */
export function rejectsCredential(status: number): boolean {
  return status === 401 || status === 403
}

/**
 * Returns the class of the error that an operation has for a response.
 *
 * @param status - the response's HTTP status
 * @param code - the error code in the response
 * @param operation - the operation; absent for one that acts on an entity
 *
 * @example
 * ```ts
 * errorClassOf(412, 'UpdateConditionNotSatisfied') // ETagMismatchError
 * ```
 */
export function errorClassOf(
  status: number,
  code: string,
  operation?: OperationTraits,
): ServiceErrorClass {
  if (rejectsCredential(status)) return AuthenticationError
  if (status === 412) return ETagMismatchError
  switch (code) {
    case 'EntityAlreadyExists':
      return EntityAlreadyExistsError
    case 'TableAlreadyExists':
      return TableAlreadyExistsError
    case 'TableNotFound':
      return TableNotFoundError
    case 'EntityNotFound':
    case 'ResourceNotFound':
      return operation?.addresses === 'table' || operation?.needsEntity === false
        ? TableNotFoundError
        : EntityNotFoundError
    default:
      return ServiceError
  }
}

/**
 * Tells whether a server failed, of the service or in between, so that the request may succeed the next time. It did not
 * fail when it does not know the method (501) or the version of HTTP (505).
 *
 * @param status - the response's HTTP status
 */
export function isServerFailure(status: number): boolean {
  return status === 408 || (status >= 500 && status !== 501 && status !== 505)
}

/** The service's code for a request that it rejected before it touched anything. */
const SERVER_BUSY = 'ServerBusy'

/**
 * Tells whether a write may have been applied although the response is an error.
 *
 * A 503 rejects the write only with the service's own code. Without it, a machine in between sent
 * the 503, and may have passed the write on.
 *
 * @param status - the response's HTTP status
 * @param code - the error code in the response
 */
export function mayHaveAppliedAfter(status: number, code: string): boolean {
  return isServerFailure(status) && !(status === 503 && code === SERVER_BUSY)
}

/** The facts about a failure that a response contains. */
interface ErrorBody {
  /** The service's code; `Http` and the status when the response has none. */
  readonly code: string
  /** The service's message without its request id and time, and without secrets. */
  readonly message: string
  /** Whether the response is not the service's. */
  readonly isForeign?: boolean
}

/** Code and message of a body; they may be of any type. */
interface FoundError {
  readonly code: unknown
  readonly message: unknown
}

/**
 * Reads an error response in any of the forms that services, and machines in between, use: JSON,
 * XML, or only a header.
 *
 * @param response - a response of 400 or above
 */
export async function readErrorBody(response: HttpResponse): Promise<ErrorBody> {
  const foreign = foreignMessage(response)
  if (foreign !== undefined) {
    return { code: `Http${response.status}`, message: foreign, isForeign: true }
  }
  // Removes the byte order mark, too, which XML begins with over some HTTP clients.
  if (!response.body.trimStart().startsWith('<')) return readPartErrorBody(response)
  return toErrorBody(response, await findInXml(response.body))
}

const HTML = /^\s*<(?:!doctype\s+html|html)\b/i
const HTML_TYPE = /^\s*text\/html\b/i

/** Says what shows that an error is not the service's, which names its responses and has no pages. */
function foreignMessage({ status, headers, body }: HttpResponse): string | undefined {
  if (headers['x-ms-error-code'] || headers['x-ms-request-id']) return undefined
  if (status === 407) {
    return 'The proxy requires authentication. Check the user and the password in its URL, such as HTTPS_PROXY.'
  }
  if (!HTML_TYPE.test(headers['content-type'] ?? '') && !HTML.test(body)) return undefined
  return 'The response is an HTML page, so it is not from the Table service. Check the endpoint, and any proxy in between.'
}

/**
 * Reads the error in one part of a batch, which is never XML.
 *
 * @param response - a part of 400 or above
 */
export function readPartErrorBody(response: HttpResponse): ErrorBody {
  return toErrorBody(response, findInJson(response.body))
}

/** Finds `{"odata.error":{"code":…,"message":{"value":…}}}`, or `{"code":…,"message":…}` of a gateway. */
function findInJson(body: string): FoundError | undefined {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return undefined
  }
  const error = member(json, 'odata.error') ?? member(json, 'error') ?? json
  const message = member(error, 'message')
  return { code: member(error, 'code'), message: member(message, 'value') ?? message }
}

function member(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as Record<string, unknown>)[name]
    : undefined
}

/**
 * Finds `<m:error><m:code>…`, or `<Error><Code>…` of an emulator. Where the parser cannot be loaded, only the status
 * tells whether a write may have been applied.
 */
async function findInXml(body: string): Promise<FoundError | undefined> {
  const error = await readXml(body).catch(() => undefined)
  if (error === undefined || !(error.isNamed('error') || error.isNamed('Error'))) return undefined
  const code = error.child('code') ?? error.child('Code')
  const message = error.child('message') ?? error.child('Message')
  return { code: code?.text, message: message?.text }
}

const NO_MESSAGE = 'The service gave no reason.'

function toErrorBody(response: HttpResponse, found: FoundError | undefined): ErrorBody {
  const code = textOf(found?.code) || response.headers['x-ms-error-code']
  return {
    code: redact(code || `Http${response.status}`),
    message: redact(withoutTrailer(textOf(found?.message))) || NO_MESSAGE,
  }
}

/**
 * Storage ends its message with `RequestId:` and `Time:`. Cosmos DB ends it with `RequestID:`, and often
 * puts an `ActivityId:` and the replica and software of its server before that.
 */
function withoutTrailer(message: string): string {
  const trailer = message.search(/\r?\n(?:RequestI[dD]|ActivityId):/)
  return (trailer < 0 ? message : message.slice(0, trailer)).trim()
}

function textOf(found: unknown): string {
  return typeof found === 'string' ? found : ''
}
