import {
  aFunction,
  type DeclaredOptions,
  declareOptions,
  invalidOption,
  oneOf,
  rule,
  wholeNumber,
  withMethods,
} from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { callOptionsIn, keylessRules } from '../options/call-options.ts'
import type { BulkProgress, BulkSummary } from './bulk-outcome.ts'

/** What to do when an insert finds an entity, or an ETag does not match. */
export type ConflictPolicy = 'fail' | 'skip' | 'modify'

/** What to do when a merge, replace or delete finds no entity. */
export type MissingPolicy = 'fail' | 'skip'

/**
 * The options of a bulk write. The options of calls apply to each request, except `deadline`, which is the
 * time for the whole write.
 */
export interface BulkOptions<Entity extends object = object>
  extends Omit<CallOptions, 'idempotencyKey'> {
  /**
   * How many transactions may be in flight at once: fewer while the service throttles.
   *
   * @defaultValue the level of the account: it begins at 8, grows by half in each round trip up to 64, and halves when the
   * service throttles
   */
  readonly concurrency?: number | undefined
  /**
   * How many operations may wait or be in flight. The input is not read beyond that.
   *
   * @defaultValue 200 for each partition among them, from 2,000 to 12,800; and at most 32 MiB
   */
  readonly buffer?: number | undefined
  /**
   * How often a transaction that the service throttles is sent, each time with the retries of `retry`. The
   * waits in between are random, and grow up to 30 s.
   *
   * @defaultValue 5, and 1 for a failure that `retry` never retries, as with `noRetry`
   */
  readonly attempts?: number | undefined
  /**
   * What to do when an insert finds an entity, or when an ETag does not match: `'fail'` reports the
   * operation as failed, `'skip'` leaves the stored entity as it is, `'modify'` calls `modify`.
   *
   * @defaultValue `'fail'`
   */
  readonly onConflict?: ConflictPolicy | undefined
  /**
   * Changes the stored entity after a conflict, for `onConflict: 'modify'`. It may run several times, each
   * time with a new object. A delete that meets a conflict fails.
   *
   * @param stored - the entity as it is stored, to be changed
   * @param given - the entity from the input
   */
  readonly modify?: ((stored: Entity, given: object) => void | Promise<void>) | undefined
  /**
   * What to do when a merge, replace or delete finds no entity, such as one that was deleted meanwhile:
   * `'fail'` reports the operation as failed, `'skip'` as skipped. To store the entity then, use `insertOrMerge`
   * or `insertOrReplace`.
   *
   * @defaultValue `'fail'`
   */
  readonly onMissing?: MissingPolicy | undefined
  /**
   * How many operations the input has, for `remaining` of the progress.
   *
   * @defaultValue the length or size of the input, if it has one
   */
  readonly total?: number | undefined
  /**
   * Records what was sent and how it ended, in a {@link BulkJournal} or a file that was opened with flags
   * `'a+'`. A run with the same input and journal resumes after a crash.
   *
   * @defaultValue nothing is recorded
   */
  readonly journal?: BulkJournal | JournalFile | undefined
  /** Receives the progress after each transaction. It is awaited, and its error ends the write. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined
}

/** The largest number is valid, too: for what shall not limit the write. */
const count = wholeNumber(1, Number.MAX_SAFE_INTEGER)

const aStore = withMethods('a store of text', 'read', 'append')
const aFile = withMethods('an open file', 'read', 'write', 'stat', 'datasync')

export const bulkOptions: DeclaredOptions<BulkOptions<never>> = declareOptions<BulkOptions<never>>({
  ...keylessRules,
  attempts: count,
  buffer: count,
  concurrency: count,
  journal: rule(
    "an object with read and append, or a file from open(path, 'a+') of node:fs/promises",
    (given) => aStore.accepts(given) || aFile.accepts(given),
  ),
  modify: aFunction,
  onConflict: oneOf('fail', 'skip', 'modify'),
  onMissing: oneOf('fail', 'skip'),
  onProgress: aFunction,
  total: wholeNumber(0, Number.MAX_SAFE_INTEGER),
})

/** Checked {@link BulkOptions}, and the options of calls among them. */
export interface BulkSettings extends Omit<BulkOptions<never>, keyof CallOptions> {
  /** The options of the call. */
  readonly options: CallOptions
  /** Whether a transaction in doubt is sent again, since repeating its operations changes nothing. */
  readonly repeats?: boolean
}

/**
 * Separates the options of each request from those of a bulk write, and checks which of them fit together.
 *
 * @param options - the caller's options, checked
 * @param where - the call, for messages
 * @throws InputError with the code `InvalidOptionValue`
 */
export function bulkSettings(options: BulkOptions<never>, where: string): BulkSettings {
  const { onConflict, modify } = options
  if ((modify === undefined) === (onConflict === 'modify')) {
    throw invalidOption(
      `onConflict of ${where} must be 'fail', 'skip' or 'modify' together with the option modify.`,
    )
  }
  return { ...options, options: callOptionsIn(options) }
}

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
  /** Receives the summary of each flush. It is awaited, and its error is the `cause` of the error of the next `flush`. */
  readonly onFlush?: ((summary: BulkSummary) => void) | undefined
}

const { journal: _journal, total: _total, ...bufferedRules } = bulkOptions.rules

export const bufferOptions: DeclaredOptions<BufferOptions<never>> = declareOptions<
  BufferOptions<never>
>({
  ...bufferedRules,
  maxAge: count,
  maxBytes: count,
  maxOperations: count,
  onFlush: aFunction,
})

/**
 * Keeps the journal of a bulk write, so that a later run can resume it: any store of text.
 *
 * @example
 * ```ts
 * const journal: BulkJournal = {
 *   read: async () => (await blob.exists()) ? blob.downloadText() : '',
 *   append: (text) => blob.appendText(text),
 * }
 * ```
 */
export interface BulkJournal {
  /** Returns everything that was appended so far; an empty text at first. */
  read(): string | Promise<string>
  /**
   * Appends a text.
   *
   * @returns resolves when the text will survive a crash of the machine
   */
  append(text: string): Promise<void>
}

/**
 * A file that was opened with flags `'a+'` by `open` of `node:fs/promises`. Several runs may use it one after
 * another.
 */
export interface JournalFile {
  /** Reads bytes at a position of the file. */
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{
    /** How many bytes were read; 0 at the end of the file. */
    readonly bytesRead: number
  }>
  /** Writes bytes at a position of the file. */
  write(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{
    /** How many bytes were written. */
    readonly bytesWritten: number
  }>
  /** Tells how many bytes the file has. */
  stat(): Promise<{
    /** How many bytes the file has. */
    readonly size: number
  }>
  /** Waits until the written bytes survive a crash of the machine. */
  datasync(): Promise<void>
}
