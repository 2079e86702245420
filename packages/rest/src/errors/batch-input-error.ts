import { InputError } from '@rowkey/odata'

/** What a {@link BatchInputError} is made from. */
export interface BatchInputErrorOptions {
  /** What is wrong, what the rule is, and how to mend it. */
  readonly message: string
  /** Which change broke the rule, counted from 0; absent when it is the whole batch. */
  readonly index?: number | undefined
}

/**
 * Thrown when an entity group transaction breaks a rule of the service: 1 to 100 changes of one
 * table and one PartitionKey, each entity once, at most 4 MiB in all.
 */
export class BatchInputError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'BatchInputError'
  /** What programs branch on. */
  override readonly code = 'InvalidBatch'

  /** Which change broke the rule, counted from 0; `undefined` when it is the whole batch. */
  readonly index: number | undefined

  constructor(options: BatchInputErrorOptions) {
    super(options)
    this.index = options.index
  }
}
