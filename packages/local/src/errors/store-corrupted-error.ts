import { StoreError } from './store-error.ts'

/**
 * Thrown when the files of a durable store are not as they were written: something was changed,
 * lost or cut off. Nothing is served from such a store.
 */
export class StoreCorruptedError extends StoreError {
  /** Always `'StoreCorruptedError'`. */
  override readonly name = 'StoreCorruptedError'
  /** Always `'StoreCorrupted'`. */
  override readonly code = 'StoreCorrupted'

  /** @param options - the folder, what was found there, and what the engine said */
  constructor(options: {
    readonly folder: string
    readonly found: string
    readonly cause?: unknown
  }) {
    const { folder, found, cause } = options
    super({
      folder,
      cause,
      problem: `is damaged: ${found}. Nothing is served from it; put a copy of the whole folder in its place.`,
    })
  }
}
