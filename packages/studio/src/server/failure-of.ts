import { InputError, isRowkeyError } from '@rowkey/odata'
import {
  DecodeError,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  ServiceError,
} from 'rowkey'
import { placeOf, type RowPlace, type StudioInput } from './studio-input.ts'
import type { Failure, ShownRow } from './wire.ts'

/** Why a request failed, and the status of the response. */
interface FailedRequest {
  readonly status: number
  readonly failure: Failure
}

/** The status that a response with {@link Failure.stored} has. */
const CONFLICT = 412

/**
 * Says why a request of the page failed. When the stored row is not the version that the page showed, it adds the stored row.
 *
 * @param error - what was thrown
 * @param input - the request
 * @param read - reads the stored row; `null` when it is missing
 */
export async function failureOf(
  error: unknown,
  input: StudioInput,
  read: (place: RowPlace) => Promise<ShownRow | null>,
): Promise<FailedRequest> {
  if (!isRowkeyError(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return { status: 500, failure: { error: { code: 'Failed', message } } }
  }
  const { position, details }: { position?: number; details?: { property?: string } } =
    Object(error)
  const { code, message } = error
  const failure = { error: { code, message, position, property: details?.property } }
  if (!isConflict(error, input)) return { status: statusOf(error), failure }
  const stored = await read(placeOf(input)).catch(() => undefined)
  return { status: CONFLICT, failure: stored === undefined ? failure : { ...failure, stored } }
}

/** Tells whether the stored row is another one than the page showed. */
function isConflict(error: Error, { values }: StudioInput): boolean {
  if (error instanceof ETagMismatchError || error instanceof EntityAlreadyExistsError) return true
  return error instanceof EntityNotFoundError && 'etag' in values
}

/** The status of a failure for people who watch the network; the page reads the code. */
function statusOf(error: Error): number {
  if (error instanceof InputError || error instanceof DecodeError) return 400
  return error instanceof ServiceError ? error.status : 502
}
