import { StoreError } from './store-error.ts'

/**
 * Thrown when the system refuses to read or write the folder of a durable store: the disk is full,
 * the folder is read-only, or the process has no right to it. What was acknowledged before is kept.
 */
export class StoreAccessError extends StoreError {
  /** Always `'StoreAccessError'`. */
  override readonly name = 'StoreAccessError'
  /** Always `'StoreAccessFailed'`. */
  override readonly code = 'StoreAccessFailed'

  /** @param options - the folder, why the system refused, and what it said */
  constructor(options: {
    readonly folder: string
    readonly reason: string
    readonly cause?: unknown
  }) {
    const { folder, reason, cause } = options
    super({ folder, cause, problem: `cannot be read or written: ${reason}.` })
  }
}
