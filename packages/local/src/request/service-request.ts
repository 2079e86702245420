import type { Flavour, HttpHeaders } from '@rowkey/rest'
import type { Grant } from './grant.ts'
import type { QueryParameters } from './query-parameters.ts'
import type { Resource } from './resource.ts'

/** A request, or a part of a batch, as an operation reads it. */
export interface ServiceRequest {
  /** The service's own id of the request, which rejections contain. */
  readonly requestId: string
  /** The service that responds; Table storage when absent. */
  readonly flavour?: Flavour | undefined
  /** The name of the account, at either location. */
  readonly account: string
  /** What the credential of the request allows. */
  readonly grant: Grant
  /** Whether the request came to the read-only secondary. */
  readonly isSecondary: boolean
  /** Scheme, host and port as the client wrote them. */
  readonly origin: string
  /** Empty in host style, `/account` in path style. */
  readonly basePath: string
  /** The base of all addresses in the account: origin and base path. */
  readonly base: string
  /** The verb that counts: of a tunnelled request, the one in the header. */
  readonly method: string
  /** What the path names. */
  readonly resource: Resource
  /** The decoded query. */
  readonly query: QueryParameters
  /** By names in lower case; in a batch, the headers of the part only. */
  readonly headers: HttpHeaders
  /** Empty when absent. */
  readonly body: string
}
