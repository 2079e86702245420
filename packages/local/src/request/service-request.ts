import type { HttpHeaders } from '@rowkey/rest'
import type { Grant } from './grant.ts'
import type { QueryParameters } from './query-parameters.ts'
import type { Resource } from './resource.ts'

/** One request, or one part of a batch, taken apart: what an operation works on. */
export interface ServiceRequest {
  /** The service's own id of the request; refusals name it. */
  readonly requestId: string
  /** The name of the account, whichever of its two places was asked. */
  readonly account: string
  /** What the request's signature allows. */
  readonly grant: Grant
  /** Whether it came to the place that can only be read. */
  readonly isSecondary: boolean
  /** Scheme, host and port as the client spells them. */
  readonly origin: string
  /** Empty in host style, `/account` in path style. */
  readonly basePath: string
  /** Where the account's resources begin: origin and base path. */
  readonly base: string
  /** The verb that counts: a tunnelled request has the one inside. */
  readonly method: string
  /** What the path names. */
  readonly resource: Resource
  /** The query, decoded. */
  readonly query: QueryParameters
  /** By names in lower case; in a batch, those of the part alone. */
  readonly headers: HttpHeaders
  /** Empty when there is none. */
  readonly body: string
}
