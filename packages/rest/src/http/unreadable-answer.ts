import { DecodeError } from '@rowkey/odata'
import { type HttpRequest, isRead } from './http-request.ts'

/** The longest body that is read, in bytes: four times the longest that the service sends. */
export const LONGEST_BODY: number = 16 * 1024 * 1024

/** Why a body is not read, or not to its end. */
export type Unreadable = 'bad UTF-8' | 'redirect' | 'too long'

const REASONS: Readonly<Record<Unreadable, string>> = {
  'bad UTF-8': 'the answer is not text in UTF-8, which every answer of the Table service is',
  redirect:
    'the answer is a redirect. Redirects are never followed, because that would send the credential elsewhere. Check the endpoint',
  'too long': 'the answer is longer than 16 MiB, which no answer of the Table service is',
}

/**
 * What it means to the caller that an answer cannot be read. It came all the same, so a write may
 * have been applied.
 *
 * @param request - what was sent; its query may hold a SAS and is not shown
 * @param reason - why the answer cannot be read
 * @param cause - the decoder's error, when there is one
 */
export function unreadableAnswer(
  request: HttpRequest,
  reason: Unreadable,
  cause?: unknown,
): DecodeError {
  return new DecodeError({
    message: `${request.method} ${request.origin}${request.path}: ${REASONS[reason]}.`,
    mayHaveApplied: reason !== 'redirect' && !isRead(request),
    cause,
  })
}
