import { DecodeError } from '@rowkey/odata'
import { AmbiguousWriteError, BatchError, ServiceError, TransportError } from '@rowkey/rest'
import type { PipelineRequest, PipelineResponse } from '../pipeline/interfaces.ts'
import { RestError } from './rest-error.ts'

/** The error of a response, as its JSON has it. */
interface OdataError {
  readonly code: string
  readonly message: { readonly lang: string; readonly value: string }
}

/** The last exchange of a call, as far as it went. */
export interface LastExchange {
  readonly request?: PipelineRequest
  readonly response?: PipelineResponse
}

/**
 * Turns an error of Rowkey into one that callers of the official client know; leaves all others as they are.
 *
 * @param error - the error of a call
 * @param last - the last exchange of the call
 */
export function toRestError(error: unknown, last: LastExchange = {}): unknown {
  const reason = error instanceof AmbiguousWriteError ? error.cause : error
  if (reason instanceof ServiceError) return ofService(reason, error, last)
  if (reason instanceof TransportError) return ofTransport(reason, error, last)
  const isUnread = reason instanceof DecodeError && reason.code === 'UnexpectedResponse'
  return isUnread ? ofUnread(reason, error, last) : error
}

/** The response of a proxy, a redirect, or one that was cut off. */
function ofUnread(reason: DecodeError, cause: unknown, last: LastExchange): RestError {
  const { response } = last
  const received = response && { statusCode: response.status }
  return new RestError(reason.message, { code: RestError.PARSE_ERROR, cause, ...last, ...received })
}

function ofTransport(reason: TransportError, cause: unknown, { request }: LastExchange): unknown {
  // A source of tokens has failed, and nothing was sent. Programs know the errors of their source.
  if (reason.code === 'CredentialUnavailable') return reason.cause ?? cause
  const thrown: Partial<RestError> = Object(reason.cause)
  const code = typeof thrown.code === 'string' ? thrown.code : RestError.REQUEST_SEND_ERROR
  // An HTTP client says itself what has failed.
  const { message } = thrown.name === 'RestError' ? (thrown as RestError) : reason
  return new RestError(message, { code, cause, ...(request && { request }) })
}

function ofService(reason: ServiceError, cause: unknown, last: LastExchange): RestError {
  const { status: statusCode, code } = reason
  const { response } = last
  const body = response?.bodyAsText ?? ''
  const { 'odata.error': said, ...members } = membersOf(body)
  // A part of a transaction that failed is inside of a whole response.
  const found = reason instanceof BatchError ? odataErrorIn(body) : asOdataError(said)
  const odataError = found ?? { code, message: { lang: 'en-US', value: reason.message } }
  const parsedBody = { ...members, odataError }
  const parsedHeaders = response && errorHeadersOf(response)
  const text =
    reason.operation === 'entityGroupTransaction' ? found?.message.value : messageOf(members, body)
  const full = response && { response: { ...response, parsedHeaders, parsedBody } }
  const options = { statusCode, code, cause, ...last, ...full }
  const error = new RestError(text || reason.message, options)
  error.details = { ...parsedHeaders, ...parsedBody }
  return error
}

/** The headers of an error. The official client renames one of them. */
function errorHeadersOf({ headers }: PipelineResponse): Readonly<Record<string, string>> {
  const { 'x-ms-error-code': errorCode, ...others } = headers.toJSON()
  return { ...(errorCode === undefined ? {} : { errorCode }), ...others }
}

/** The message of a gateway, or else the whole body. */
function messageOf({ error, message }: Readonly<Record<string, unknown>>, body: string): string {
  const said: unknown = Object(error).message ?? message
  return typeof said === 'string' ? said : body
}

/** The members of a body that is JSON. */
function membersOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body)
    return typeof json === 'object' && json !== null ? { ...json } : {}
  } catch {
    return {}
  }
}

function asOdataError(said: unknown): OdataError | undefined {
  const { code, message } = Object(said)
  return typeof message?.value === 'string' ? { code, message } : undefined
}

const START = '{"odata.error"'

/** Finds the error in the part of a transaction that failed. */
function odataErrorIn(body: string): OdataError | undefined {
  const start = body.indexOf(START)
  const end = body.lastIndexOf('}')
  return start < 0 ? undefined : asOdataError(membersOf(body.slice(start, end + 1))['odata.error'])
}
