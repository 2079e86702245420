import type { HttpHeaders } from '@rowkey/rest'
import { checkKey } from '../keys/check-key.ts'
import { parseQueryParameters } from './query-parameters.ts'
import { checkContentMd5, checkTimeout, effectiveMethod } from './request-checks.ts'
import { routeResource } from './resource.ts'
import type { ServiceRequest } from './service-request.ts'

/** Where a request stands: what all parts of a batch have in common. */
export type RequestPlace = Pick<
  ServiceRequest,
  'requestId' | 'account' | 'grant' | 'isSecondary' | 'origin' | 'basePath'
>

/** What a request, or a part of a batch, says. */
export interface RequestText {
  /** The verb as it was sent; a tunnelled one stands in the headers. */
  readonly method: string
  /** The path below the account, percent-encoded; begins with `/`. */
  readonly resourcePath: string
  /** Percent-encoded, without its `?`. */
  readonly query: string
  /** By names in lower case. */
  readonly headers: HttpHeaders
  /** Empty when there is none. */
  readonly body: string
}

/** Takes a request apart, once the account is known; refuses what no operation could mean. */
export function readRequest(place: RequestPlace, text: RequestText): ServiceRequest {
  const resource = routeResource(text.resourcePath)
  if (resource.kind === 'entity') checkKey(resource.key)
  const query = parseQueryParameters(text.query)
  checkTimeout(query)
  checkContentMd5(text.headers, text.body)
  return {
    requestId: place.requestId,
    account: place.account,
    grant: place.grant,
    isSecondary: place.isSecondary,
    origin: place.origin,
    basePath: place.basePath,
    base: place.origin + place.basePath,
    method: effectiveMethod(text.method, text.headers),
    resource,
    query,
    headers: text.headers,
    body: text.body,
  }
}
