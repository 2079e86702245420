import { StoreError } from './store-error.ts'

/** Thrown when what is named as the folder of a durable store cannot be one. Nothing was changed. */
export class StoreFolderError extends StoreError {
  /** Always `'StoreFolderError'`. */
  override readonly name = 'StoreFolderError'
  /** Always `'InvalidStoreFolder'`. */
  override readonly code = 'InvalidStoreFolder'

  /** @param options - the folder, what is there instead, and what the system said */
  constructor(options: {
    readonly folder: string
    readonly found: string
    readonly cause?: unknown
  }) {
    const { folder, found, cause } = options
    super({ folder, cause, problem: `cannot be opened: ${found}.` })
  }
}
