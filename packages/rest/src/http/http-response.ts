import type { LocationName } from '../location-name.ts'
import type { HttpHeaders } from './http-request.ts'

/** One answer as plain data. */
export interface HttpResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers. */
  readonly headers: HttpHeaders
  /** The whole body, decoded from UTF-8; empty when there was none. */
  readonly body: string
  /**
   * Which of the account's locations answered, for the operation that reads the answer; a Transport
   * does not say it.
   *
   * @defaultValue `'primary'`
   */
  readonly location?: LocationName | undefined
}
