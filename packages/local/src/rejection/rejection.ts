import { RowkeyError } from '@rowkey/odata'
import { REJECTION_TEXTS, type RejectionCode } from './rejection-codes.ts'

/** Details of a {@link Rejection}. */
export interface RejectionOptions {
  /** Replaces the usual text of the code. */
  readonly text?: string | undefined
  /** Replaces the usual status of the code: the front end uses one code with two statuses. */
  readonly status?: number | undefined
  /** Headers of the response, such as `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The index of the operation that failed in an entity group transaction. */
  readonly index?: number | undefined
  /** The error below this one. */
  readonly cause?: unknown
}

/**
 * Thrown to reject a request; becomes the status and the error body of the response. It never
 * leaves the service.
 */
export class Rejection extends RowkeyError {
  override readonly name = 'Rejection'
  /** The protocol's code. */
  readonly code: RejectionCode
  /** The status of the response. */
  readonly status: number
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The index of the operation that failed in an entity group transaction, when it was one of them.
   */
  readonly index: number | undefined

  constructor(code: RejectionCode, detail: RejectionOptions = {}) {
    const [status, text] = REJECTION_TEXTS[code]
    super({ message: detail.text ?? text, cause: detail.cause })
    this.code = code
    this.status = detail.status ?? status
    this.headers = detail.headers ?? {}
    this.index = detail.index
  }

  /** Copies the rejection with other details. */
  but(detail: RejectionOptions): Rejection {
    const { message: text, status, headers, index, cause } = this
    return new Rejection(this.code, { text, status, headers, index, cause, ...detail })
  }

  /** Copies the rejection with the index of an operation before its text, as transactions do. */
  prefixed(index: number): Rejection {
    return this.but({ text: `${index}:${this.message}` })
  }
}
