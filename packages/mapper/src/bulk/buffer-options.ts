import { type BulkOptions, checkCount, checkFunction } from './bulk-options.ts'
import type { BulkSummary } from './bulk-outcome.ts'

/** The options of a buffered writer. The others are those of a bulk write, for each flush. */
export interface BufferOptions<Entity extends object = object>
  extends Omit<BulkOptions<Entity>, 'journal' | 'total'> {
  /**
   * Flush when so many operations wait.
   *
   * @defaultValue 500
   */
  readonly maxOperations?: number | undefined
  /**
   * Flush when they have so many bytes, as they are sent.
   *
   * @defaultValue 1 MiB
   */
  readonly maxBytes?: number | undefined
  /**
   * Flush when the oldest operation has waited for so many milliseconds.
   *
   * @defaultValue 1,000
   */
  readonly maxAge?: number | undefined
  /** Receives the summary of each flush. What it throws is the `cause` of the error of the next `flush`. */
  readonly onFlush?: ((summary: BulkSummary) => void) | undefined
}

/** When to flush. */
export interface BufferSettings {
  readonly maxOperations: number
  readonly maxBytes: number
  readonly maxAge: number
  readonly onFlush: ((summary: BulkSummary) => void) | undefined
}

/**
 * Checks when to flush.
 *
 * @param options - the caller's options
 * @param where - the call, for messages
 * @returns also the options of the bulk writes
 * @throws InputError with the code `InvalidOptionValue`
 */
export function bufferSettings<Entity extends object>(
  options: BufferOptions<Entity>,
  where: string,
): { readonly flush: BufferSettings; readonly bulk: BulkOptions<Entity> } {
  const {
    maxOperations = 500,
    maxBytes = 1024 * 1024,
    maxAge = 1_000,
    onFlush,
    ...bulk
  } = Object(options) as BufferOptions<Entity>
  checkCount({ maxOperations, maxBytes, maxAge }, 1, where)
  checkFunction({ onFlush }, where)
  return { flush: { maxOperations, maxBytes, maxAge, onFlush }, bulk }
}
