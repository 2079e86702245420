import { RowkeyError } from '@rowkey/odata'
import { REJECTION_TEXTS, type RejectionCode } from './rejection-codes.ts'

/** What a {@link Rejection} says besides its code. */
export interface RejectionOptions {
  /** Replaces the code's usual text. */
  readonly text?: string | undefined
  /** Replaces the code's usual status; the front end gives one code with two of them. */
  readonly status?: number | undefined
  /** Headers of the answer, such as `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Which operation of an entity group transaction failed. */
  readonly index?: number | undefined
  /** What made the service refuse. */
  readonly cause?: unknown
}

/**
 * Thrown when the service refuses a request; becomes the answer's status and error body, so that
 * nobody outside the service ever catches one.
 */
export class Rejection extends RowkeyError {
  override readonly name = 'Rejection'
  /** The protocol's own word for the refusal. */
  readonly code: RejectionCode
  /** The answer's status. */
  readonly status: number
  /** Headers that belong to this refusal. */
  readonly headers: Readonly<Record<string, string>>
  /** Which operation of an entity group transaction failed, where that was one of them. */
  readonly index: number | undefined

  constructor(code: RejectionCode, detail: RejectionOptions = {}) {
    const [status, text] = REJECTION_TEXTS[code]
    super({ message: detail.text ?? text, cause: detail.cause })
    this.code = code
    this.status = detail.status ?? status
    this.headers = detail.headers ?? {}
    this.index = detail.index
  }

  /** The same refusal with something said otherwise. */
  but(detail: RejectionOptions): Rejection {
    const { message: text, status, headers, index, cause } = this
    return new Rejection(this.code, { text, status, headers, index, cause, ...detail })
  }

  /** The same refusal with an operation's zero-based index before the text, as transactions say it. */
  prefixed(index: number): Rejection {
    return this.but({ text: `${index}:${this.message}` })
  }
}
