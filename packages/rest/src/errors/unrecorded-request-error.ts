import { InputError } from '@rowkey/odata'

/**
 * Thrown when a {@link replayingTransport} is given a request that it has no recorded answer for, or
 * none left.
 */
export class UnrecordedRequestError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'UnrecordedRequestError'
  /** What programs branch on. */
  override readonly code = 'UnrecordedRequest'
}
