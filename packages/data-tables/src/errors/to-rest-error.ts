import { DecodeError } from '@rowkey/odata'
import { AmbiguousWriteError, BatchError, ServiceError, TransportError } from '@rowkey/rest'
import type {
  FullOperationResponse,
  PipelineRequest,
  PipelineResponse,
} from '../pipeline/interfaces.ts'
import { RestError } from './rest-error.ts'

/** The error of a response, as its JSON has it. */
interface OdataError {
  readonly code: string
  readonly message: { readonly lang: string; readonly value: string }
}

/** The last exchange of a call, as far as it went. */
export interface LastExchange {
  readonly request?: PipelineRequest | undefined
  readonly response?: PipelineResponse | undefined
  /** The headers of the response, under their names in results. */
  readonly facts?: object | undefined
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
  const { request, response } = last
  const received = response && { response, statusCode: response.status }
  const options = { code: RestError.PARSE_ERROR, cause, ...(request && { request }), ...received }
  return new RestError(reason.message, options)
}

function ofTransport(reason: TransportError, cause: unknown, { request }: LastExchange): unknown {
  // A source of tokens has failed, and nothing was sent.
  if (reason.code === 'CredentialUnavailable') return cause
  const code = socketCode(reason) ?? RestError.REQUEST_SEND_ERROR
  return new RestError(reason.message, { code, cause, ...(request && { request }) })
}

function ofService(reason: ServiceError, cause: unknown, last: LastExchange): RestError {
  const { status: statusCode, code } = reason
  const { request, response, facts } = last
  const body = response?.bodyAsText ?? ''
  const odataError = odataErrorIn(body) ?? {
    code,
    message: { lang: 'en-US', value: reason.message },
  }
  // A part of a transaction that failed is inside of a whole response.
  const text = reason instanceof BatchError ? odataError.message.value : body
  const full: FullOperationResponse | undefined = response && {
    ...response,
    parsedBody: { odataError },
    parsedHeaders: { ...facts },
  }
  const exchange = { ...(request && { request }), ...(full && { response: full }) }
  const error = new RestError(text || reason.message, { statusCode, code, cause, ...exchange })
  error.details = { ...(response && detailsOf(response)), odataError }
  return error
}

/** The headers of the response. The official client renames one of them. */
function detailsOf({ headers }: PipelineResponse): Readonly<Record<string, string>> {
  const { 'x-ms-error-code': errorCode, ...details } = headers.toJSON()
  return errorCode === undefined ? details : { ...details, errorCode }
}

const START = '{"odata.error"'

/** Finds the error in a body: all of it is JSON, or the part of a transaction is. */
function odataErrorIn(body: string): OdataError | undefined {
  const start = body.indexOf(START)
  const end = body.lastIndexOf('}')
  if (start < 0) return undefined
  try {
    const { code, message } = JSON.parse(body.slice(start, end + 1))['odata.error']
    return typeof message?.value === 'string' ? { code, message } : undefined
  } catch {
    return undefined
  }
}

function socketCode({ cause }: TransportError): string | undefined {
  const { code }: { code?: unknown } = Object(cause)
  return typeof code === 'string' ? code : undefined
}
