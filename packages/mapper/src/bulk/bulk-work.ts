import type { Call } from '@rowkey/rest'
import type { BulkSettings } from './bulk-options.ts'
import type { BulkOperation, BulkTarget } from './bulk-target.ts'
import type { InputReader } from './input-reader.ts'

/** One bulk write whose input is open. */
export interface BulkWork {
  readonly target: BulkTarget
  readonly settings: BulkSettings
  readonly input: InputReader<unknown>
  /** The call that it is. */
  readonly call: Call
  /** Makes an operation of an item of the input; throws an InputError for an invalid item. */
  readonly toOperation: (item: unknown) => BulkOperation
  /**
   * Opens what is written when all of it has been, as part of the same run; absent when nothing is.
   *
   * @throws any error, which ends the run
   */
  readonly next?: (() => Promise<OpenedWork>) | undefined
}

/** One bulk write whose call has not begun. */
export type OpenedWork = Omit<BulkWork, 'call'>
