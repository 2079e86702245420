import { StoreError } from './store-error.ts'

/** Thrown when a durable store is opened that is open already, in this process or in another. */
export class StoreLockedError extends StoreError {
  /** Always `'StoreLockedError'`. */
  override readonly name = 'StoreLockedError'
  /** Always `'StoreLocked'`. */
  override readonly code = 'StoreLocked'

  /** @param options - the folder, and what the engine said */
  constructor(options: { readonly folder: string; readonly cause?: unknown }) {
    super({
      ...options,
      problem:
        'is open already, here or in another process. One service at a time may have a folder: close the other one, share its account, or give this one another folder.',
    })
  }
}
