import type { HttpHeaders } from '@rowkey/rest'
import { checkKey } from '../keys/check-key.ts'
import { parseQueryParameters } from './query-parameters.ts'
import { checkContentMd5, checkTimeout, effectiveMethod } from './request-checks.ts'
import type { ServiceRequest } from './service-request.ts'
import { routeResource } from './service-request.ts'

/** What all parts of a batch have in common. */
export type RequestPlace = Pick<
  ServiceRequest,
  'requestId' | 'flavour' | 'account' | 'grant' | 'isSecondary' | 'origin' | 'basePath'
>

/** The text of a request, or of a part of a batch. */
export interface RequestText {
  /** The verb as it was sent; a tunnelled one is in the headers. */
  readonly method: string
  /** The path below the account, percent-encoded; begins with `/`. */
  readonly resourcePath: string
  /** Percent-encoded, without its `?`. */
  readonly query: string
  /** By names in lower case. */
  readonly headers: HttpHeaders
  /** Empty when absent. */
  readonly body: string
}

/**
 * Reads a request whose account is known, and checks what all operations have in common.
 *
 * @throws Rejection
 */
export function readRequest(place: RequestPlace, text: RequestText): ServiceRequest {
  const resource = routeResource(text.resourcePath)
  if (resource.kind === 'entity') checkKey(resource.key, place.flavour)
  const query = parseQueryParameters(text.query)
  checkTimeout(query)
  checkContentMd5(text.headers, text.body)
  return {
    requestId: place.requestId,
    flavour: place.flavour,
    account: place.account,
    grant: place.grant,
    isSecondary: place.isSecondary,
    origin: place.origin,
    basePath: place.basePath,
    base: place.origin + place.basePath,
    method: effectiveMethod(text.method, text.headers, place.flavour),
    resource,
    query,
    headers: text.headers,
    body: text.body,
  }
}
