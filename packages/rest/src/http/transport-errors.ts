import { DecodeError } from '@rowkey/odata'
import { doubtOf, TransportError } from '../errors/transport-error.ts'
import { shownCause } from './redact.ts'
import { type HttpRequest, isRead } from './transport.ts'

/**
 * Makes the error of an exchange whose connection broke after the request could have been sent.
 *
 * @param cause - the error of the socket, of undici or of `fetch`; only its name, code and message are copied
 * @param request - the request; its query may contain a SAS and is not shown
 */
export function lostResponseOf(cause: Error, request: HttpRequest): TransportError {
  const mayHaveApplied = !isRead(request)
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the connection broke before the whole response arrived (${codeOf(cause)}).${doubtOf(mayHaveApplied)}`,
    mayHaveApplied,
    cause: shownCause(cause),
  })
}

/** Returns the code of an error, or the name of its class. */
export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/**
 * Makes the error of an attempt that took too long.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param timeout - the limit of the attempt in milliseconds
 * @param sent - whether writing the request to a connection may have begun
 */
export function timeoutErrorOf(
  request: HttpRequest,
  timeout: number,
  sent: boolean,
): TransportError {
  const mayHaveApplied = sent && !isRead(request)
  return new TransportError({
    code: 'AttemptTimeout',
    message: `${request.method} ${request.origin}${request.path}: no whole response within ${timeout} ms.${doubtOf(mayHaveApplied)}`,
    mayHaveApplied,
  })
}

/**
 * Makes the error of a request to a closed transport, or of one that was pending when it was closed.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param sent - whether writing the request to a connection may have begun
 */
export function closedErrorOf(request: HttpRequest, sent: boolean): TransportError {
  if (!sent) {
    return new TransportError({
      code: 'ConnectionFailed',
      message: `Nothing was sent to ${request.origin}: the transport has been closed.`,
      failure: 'closed',
      mayHaveApplied: false,
    })
  }
  const mayHaveApplied = !isRead(request)
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the transport was closed before the response arrived. Close with { drain: true } to wait for pending requests.${doubtOf(mayHaveApplied)}`,
    failure: 'closed',
    mayHaveApplied,
  })
}

/**
 * Tells whether a response says that nothing behind its connection can serve: the region may have failed over to another
 * address.
 *
 * @param status - the response's HTTP status
 */
export function isUnavailable(status: number): boolean {
  return status >= 502 && status <= 504
}

/** Makes the error of a call that began after its account was closed. */
export function closedAccountError(): TransportError {
  return new TransportError({
    code: 'AccountClosed',
    message:
      'Nothing was sent: the account has been closed. Open it again with connect(), or close it after the last call.',
    failure: 'closed',
    mayHaveApplied: false,
  })
}

/** The longest body that is read, in bytes: four times the longest of the service. */
export const LONGEST_BODY: number = 16 * 1024 * 1024

/** Why a response cannot be read. */
export type Unreadable = 'bad UTF-8' | 'redirect' | 'too long'

const REASONS: Readonly<Record<Unreadable, string>> = {
  'bad UTF-8': 'the response is not UTF-8 text, but every response of the Table service is',
  redirect:
    'the response is a redirect. Redirects are never followed with a credential. Check the endpoint',
  'too long': 'the response is longer than 16 MiB, the limit for responses of the Table service',
}

/**
 * Makes the error of a response that cannot be read. The request did reach a server, so a write may
 * have been applied.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param reason - why the response cannot be read
 * @param cause - the error of the decoder
 */
export function unreadableResponse(
  request: HttpRequest,
  reason: Unreadable,
  cause?: unknown,
): DecodeError {
  return new DecodeError({
    message: `${request.method} ${request.origin}${request.path}: ${REASONS[reason]}.`,
    mayHaveApplied: reason !== 'redirect' && !isRead(request),
    cause,
  })
}
