import { RowkeyError } from '@rowkey/odata'

/** What a {@link StoreError} is made from. */
export interface StoreErrorOptions {
  /** The folder of the durable store. */
  readonly folder: string
  /** What went wrong there, what the rule is, and how to mend it. */
  readonly problem: string
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/** The base of every error about the folder of a durable store. */
export abstract class StoreError extends RowkeyError {
  abstract override readonly code: string
  /** The folder, as an absolute path. */
  readonly folder: string

  constructor({ folder, problem, cause }: StoreErrorOptions) {
    super({
      message: `The store in '${folder}' ${problem}`,
      ...(cause === undefined ? {} : { cause }),
    })
    this.folder = folder
  }
}
