import {
  type AttemptLimits,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  urlOf,
} from '@rowkey/rest'
import { httpHeaders } from './http-headers.ts'
import type { HttpMethods, PipelineRequest, PipelineResponse, ProxySettings } from './interfaces.ts'

/** What the options of a client and of a call add to every request. */
export interface RequestSettings
  extends Pick<PipelineRequest, 'agent' | 'tlsSettings' | 'tracingOptions'> {
  /** The proxy of the client. */
  readonly proxySettings?: ProxySettings
}

/**
 * Turns a request of Rowkey into one for policies and HTTP clients.
 *
 * @param request - the request
 * @param limits - the limits of the attempt
 * @param settings - what the options add
 */
export function toPipelineRequest(
  request: HttpRequest,
  limits: AttemptLimits = {},
  settings: RequestSettings = {},
): PipelineRequest {
  const { method, headers, body } = request
  return {
    url: urlOf(request),
    // No operation sends MERGE: the method of a merge is PATCH or POST.
    method: method as HttpMethods,
    headers: httpHeaders(headers),
    body,
    timeout: limits.timeout ?? 0,
    withCredentials: false,
    requestId: headers['x-ms-client-request-id'] ?? '',
    // Rowkey has checked the scheme before.
    allowInsecureConnection: true,
    ...(limits.signal === undefined ? {} : { abortSignal: limits.signal }),
    ...settings,
  }
}

/**
 * Turns a request that policies have seen into one of Rowkey.
 *
 * @param changed - the request
 * @param original - the request that it was made from
 */
export function fromPipelineRequest(changed: PipelineRequest, original: HttpRequest): HttpRequest {
  const { url, method, headers, body } = changed
  return {
    ...original,
    ...(url === urlOf(original) ? {} : addressOf(url)),
    method: method as HttpMethod,
    headers: headers.toJSON(),
    body: typeof body === 'string' ? body : original.body,
  }
}

function addressOf(url: string): Pick<HttpRequest, 'origin' | 'path' | 'query'> {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname, query: search.slice(1) }
}

/**
 * Turns a response of Rowkey into one for policies and callers.
 *
 * @param response - the response
 * @param request - its request
 */
export function toPipelineResponse(
  { status, headers, body }: HttpResponse,
  request: PipelineRequest,
): PipelineResponse {
  return { request, status, headers: httpHeaders(headers), bodyAsText: body }
}

/** Turns a response of a policy or an HTTP client into one of Rowkey. */
export function fromPipelineResponse({
  status,
  headers,
  bodyAsText,
}: PipelineResponse): HttpResponse {
  return { status, headers: headers.toJSON(), body: bodyAsText ?? '' }
}
