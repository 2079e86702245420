import { brand, RowkeyError } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'

/** The problem of a durable store. */
export type StoreErrorCode =
  | 'InvalidStoreFolder'
  | 'StoreAccessFailed'
  | 'StoreClosed'
  | 'StoreCorrupted'
  | 'StoreEngineMissing'
  | 'StoreLocked'

/** The options of a {@link StoreError}. */
export interface StoreErrorOptions {
  /** What is wrong. */
  readonly code: StoreErrorCode
  /** The folder, as an absolute path. */
  readonly folder: string
  /** What is wrong with the store and how to mend it, without the folder: `is closed. …`. */
  readonly problem: string
  /** The error of the engine or of the file system. */
  readonly cause?: unknown
}

/**
 * Thrown when the folder of a durable store cannot be used.
 *
 * - `StoreLocked`: another service has the folder open, in this process or in another, by this path or another.
 * - `StoreAccessFailed`: the system refused: the disk is full, the folder is read-only, and so on. Also for a folder that was
 *   removed, moved or replaced while it was open.
 * - `InvalidStoreFolder`: the path cannot be a folder, or the folder holds something else or tables of another flavour.
 * - `StoreCorrupted`: the files are not as they were written. Nothing is served from them.
 * - `StoreEngineMissing`: the package classic-level is not installed.
 * - `StoreClosed`: the service is closed.
 *
 * @example
 * ```ts
 * try {
 *   await startLocalService({ data: './data' })
 * } catch (error) {
 *   if (error instanceof StoreError && error.code === 'StoreLocked') return useOtherFolder()
 *   throw error
 * }
 * ```
 */
export class StoreError extends RowkeyError {
  static {
    brand(StoreError, 'rowkey.storeError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'StoreError'
  /** What is wrong. */
  readonly code: StoreErrorCode
  /** The folder, as an absolute path. */
  readonly folder: string
  /** What is wrong with the store and how to mend it, without the folder. */
  readonly problem: string

  constructor({ code, folder, problem, cause }: StoreErrorOptions) {
    super({
      message: `The store in '${folder}' ${problem}`,
      ...(cause === undefined ? {} : { cause }),
    })
    this.code = code
    this.folder = folder
    this.problem = problem
  }
}

/** Makes the error of a folder that another service has open. */
export function lockedStore(folder: string, cause?: unknown): StoreError {
  const problem =
    'is already open, here or in another process. Only one service at a time can use a folder: close the other one, share its account, or give this one another folder.'
  return new StoreError({ code: 'StoreLocked', folder, problem, cause })
}

/** Makes the error of a folder that the system does not let the process read or write. */
export function inaccessibleStore(folder: string, reason: string, cause?: unknown): StoreError {
  const problem = `cannot be read or written: ${reason}.`
  return new StoreError({ code: 'StoreAccessFailed', folder, problem, cause })
}

/** Makes the error of a folder that someone removed, moved or replaced while it was open. */
export function missingStore(folder: string): StoreError {
  return inaccessibleStore(
    folder,
    'the folder or its files were removed, moved or replaced while it was open, so writes would be lost. Bring it back or give another one, and start again',
  )
}

/** Makes the error of a path that cannot be the folder of a store. Nothing was changed there. */
export function invalidStoreFolder(folder: string, found: string, cause?: unknown): StoreError {
  const problem = `cannot be opened: ${found}.`
  return new StoreError({ code: 'InvalidStoreFolder', folder, problem, cause })
}

/** Makes the error of a folder whose tables imitate another service. */
export function foreignStore(folder: string, made: Flavour, given: Flavour): StoreError {
  const found = `its tables were made with flavour '${made}', and this service has flavour '${given}'. Open it with flavour '${made}', or give another folder`
  return invalidStoreFolder(folder, found)
}

/** Makes the error of files that are not as they were written. */
export function corruptedStore(folder: string, found: string, cause?: unknown): StoreError {
  const problem = `is damaged: ${found}. Nothing is served from it; replace the whole folder by a backup.`
  return new StoreError({ code: 'StoreCorrupted', folder, problem, cause })
}

/** Makes the error of a store that is used after it was closed. */
export function closedStore(folder: string): StoreError {
  const problem = 'is closed. Make a new service to open it again.'
  return new StoreError({ code: 'StoreClosed', folder, problem })
}

/** Makes the error of a folder whose engine is not installed. */
export function missingEngine(folder: string, cause: unknown): StoreError {
  const problem =
    'cannot be opened: its engine is not installed beside Rowkey. Run: npm install classic-level (or the same with pnpm, yarn or bun), with --global if Rowkey was.'
  return new StoreError({ code: 'StoreEngineMissing', folder, problem, cause })
}
