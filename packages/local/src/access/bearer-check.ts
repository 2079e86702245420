import type { HttpMethod } from '@rowkey/rest'

/** What a {@link BearerCheck} is told of a request besides its token. */
export interface BearerRequest {
  /** The account that the request is for. */
  readonly account: string
  /** The verb as it was sent. */
  readonly method: HttpMethod
  /** The percent-encoded path as it was sent, without the query. */
  readonly path: string
  /** Whether it came to the account's read-only secondary. */
  readonly isSecondary: boolean
}

/**
 * Says whether a bearer token lets a request in. The service itself knows no issuer of tokens: what
 * a token is worth is for whoever runs the service to say.
 *
 * A request that is let in may do what a Storage Table Data Contributor may: everything but access
 * policies, which take the account's key.
 *
 * A check that throws has decided nothing: the request is answered with 500, and its error is given
 * to `onInternalError`.
 *
 * @param token - what follows `Bearer ` in the Authorization header
 * @param request - what is asked, for a check that tells readers from writers
 */
export type BearerCheck = (token: string, request: BearerRequest) => boolean | Promise<boolean>
