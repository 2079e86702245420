import type { Endpoint } from '../endpoint/endpoint.ts'
import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { AttemptLimits, HttpRequest } from '../http/transport.ts'
import { onAbort } from '../options/on-abort.ts'
import type { Credential } from './credential.ts'

/** The part of an attempt that a signature depends on. */
interface UnsignedAttempt {
  readonly request: HttpRequest
  readonly endpoint: Endpoint
  /** The date to sign: milliseconds since 1970, UTC. */
  readonly date: number
  /** Bounds the wait for a credential that fetches something first. */
  readonly limits: AttemptLimits
}

/**
 * Dates and signs the request of an attempt.
 *
 * @param credential - proves who is asking
 * @param attempt - the request, its account and its date
 * @throws `AbortError` or {@link TransportError} (`AttemptTimeout`) when the credential takes too long, and
 * whatever the credential throws
 */
export function sign(
  credential: Credential,
  { request, endpoint, date, limits }: UnsignedAttempt,
): HttpRequest | Promise<HttpRequest> {
  const signed = credential.authorize(request, endpoint, date)
  if (!(signed instanceof Promise)) return signed
  return withinLimits(signed, limits, () => credential.abandoned?.(endpoint, date))
}

/**
 * Waits for a credential, but no longer than the attempt may take. The credential's own work is not
 * cancelled.
 *
 * @param work - the pending work of the credential; nothing has been sent yet
 * @param limits - the limits of the attempt
 * @param onLimit - is called when a limit ends the wait
 * @throws `AbortError` or {@link TransportError} (`AttemptTimeout`) when a limit ends the wait
 */
export function withinLimits<Result>(
  work: Promise<Result>,
  { signal, timeout }: AttemptLimits,
  onLimit?: () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const release = (): void => {
      clearTimeout(timer)
      remove?.()
    }
    const fail = (error: unknown): void => {
      release()
      reject(error)
    }
    const giveUp = (error: unknown): void => {
      fail(error)
      onLimit?.()
    }
    const stop = (): void =>
      giveUp(new AbortError({ reason: signal?.reason, mayHaveApplied: false }))
    const late = (): void => giveUp(timeoutError(timeout))
    const timer = timeout === undefined ? undefined : setTimeout(late, timeout)
    const remove = signal && onAbort(signal, stop)
    if (signal?.aborted) stop()
    work.then((result) => {
      release()
      resolve(result)
    }, fail)
  })
}

function timeoutError(timeout: number | undefined): TransportError {
  return new TransportError({
    code: 'AttemptTimeout',
    message: `The credential did not sign the request within ${timeout} ms. Nothing was sent.`,
    mayHaveApplied: false,
  })
}

/**
 * The two Shared Key schemes of the Table service. Both prove knowledge of the account key;
 * `SharedKeyLite` signs the date and the resource only.
 */
export type SharedKeyScheme = 'SharedKey' | 'SharedKeyLite'

/**
 * Builds the text that a Shared Key signature covers. The Table service signs no `x-ms-` headers.
 *
 * @param scheme - the scheme
 * @param request - the request as it is sent
 * @param account - the account's name, without `-secondary`
 * @param date - the value of `x-ms-date`, or of `Date` without `x-ms-date`
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
export function stringToSign(
  scheme: SharedKeyScheme,
  request: HttpRequest,
  account: string,
  date: string,
): string {
  const resource = canonicalizedResource(account, request.path, request.query)
  if (scheme === 'SharedKeyLite') return `${date}\n${resource}`
  const md5 = request.headers['content-md5'] ?? ''
  const type = request.headers['content-type'] ?? ''
  return `${request.method}\n${md5}\n${type}\n${date}\n${resource}`
}

/**
 * Builds the CanonicalizedResource of a Table service request: the account, the path exactly as it is
 * sent, and the `comp` parameter, if there is one. No other parameter is signed.
 *
 * A path-style endpoint has the account in its path, too, so the account appears twice.
 *
 * @param account - the account's name, without `-secondary`
 * @param path - the percent-encoded path; begins with `/`
 * @param query - the percent-encoded query without its `?`
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 *
 * @example
 * ```ts
 * canonicalizedResource('contoso', '/people', 'comp=acl&timeout=10') // '/contoso/people?comp=acl'
 * ```
 */
export function canonicalizedResource(account: string, path: string, query: string): string {
  const resource = `/${account}${path}`
  if (!query.includes('comp=')) return resource
  const component = query.split('&').find((pair) => pair.startsWith('comp='))
  return component === undefined ? resource : `${resource}?${component}`
}

let cachedSecond = Number.NaN
let cachedText = ''

/**
 * Prints a moment as HTTP and its signatures write it: `Tue, 21 Sep 2021 01:06:13 GMT`.
 *
 * Caches the text for its second, because many requests are signed within one.
 *
 * @param now - milliseconds since 1970, UTC
 */
export function printHttpDate(now: number): string {
  const second = Math.floor(now / 1000)
  if (second !== cachedSecond) {
    cachedText = new Date(now).toUTCString()
    cachedSecond = second
  }
  return cachedText
}
