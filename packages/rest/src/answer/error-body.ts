import type { HttpResponse } from '../http/http-response.ts'
import { redact } from '../http/redact.ts'

/** What an answer says about its failure. */
export interface ErrorBody {
  /** The service's code; `Http` and the status when there is none. */
  readonly code: string
  /** The service's words without its request id and time, and without secrets. */
  readonly message: string
}

/** What was found in a body, before anything is known to be there. */
export interface FoundError {
  readonly code: unknown
  readonly message: unknown
}

const NO_WORDS = 'The service gave no reason.'

/**
 * Puts what was found in a body, its headers and its status together.
 *
 * @param response - an answer of 400 or above
 * @param found - what its body says
 */
export function toErrorBody(response: HttpResponse, found: FoundError | undefined): ErrorBody {
  const code = textOf(found?.code) || response.headers['x-ms-error-code']
  return {
    code: redact(code || `Http${response.status}`),
    message: redact(withoutTrailer(textOf(found?.message))) || NO_WORDS,
  }
}

/** Storage ends its text with `RequestId:` and `Time:`, Cosmos with `RequestID:`. */
function withoutTrailer(message: string): string {
  const trailer = message.search(/\nRequestI[dD]:/)
  return (trailer < 0 ? message : message.slice(0, trailer)).trim()
}

function textOf(found: unknown): string {
  return typeof found === 'string' ? found : ''
}
