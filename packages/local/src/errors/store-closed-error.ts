import { StoreError } from './store-error.ts'

/** Thrown when a durable store is asked for something after it was closed. */
export class StoreClosedError extends StoreError {
  /** Always `'StoreClosedError'`. */
  override readonly name = 'StoreClosedError'
  /** Always `'StoreClosed'`. */
  override readonly code = 'StoreClosed'

  /** @param options - the folder */
  constructor(options: { readonly folder: string }) {
    super({ ...options, problem: 'is closed. Make a new service to open it again.' })
  }
}
