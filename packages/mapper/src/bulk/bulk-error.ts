import { brand, errorJson, RowkeyError } from '@rowkey/odata'
import type { BulkSummary } from './bulk-outcome.ts'

/** The options of a {@link BulkError}. */
export interface BulkErrorOptions {
  /** The table. */
  readonly table: string
  /** What happened to the operations. */
  readonly summary: BulkSummary
}

/**
 * Thrown when some operations of a bulk write failed or are unknown, or the write ended early. All other
 * operations were applied. `cause` is the first error.
 *
 * @example
 * ```ts
 * try {
 *   await customers.bulk().insert(rows)
 * } catch (error) {
 *   if (!(error instanceof BulkError)) throw error
 *   for (const { status, key, error: reason } of error.summary.failures) console.log(status, key, reason)
 * }
 * ```
 */
export class BulkError extends RowkeyError {
  static {
    brand(BulkError, 'rowkey.bulkError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'BulkError'
  /** The same for every incomplete bulk write. */
  override readonly code = 'BulkIncomplete'
  /** Always true: a bulk write is not atomic. */
  override readonly mayHaveApplied = true
  /** What happened to the operations. */
  readonly summary: BulkSummary

  constructor({ table, summary }: BulkErrorOptions) {
    const cause = summary.cause ?? summary.failures[0]?.error
    super({ message: messageOf(table, summary, cause), cause })
    this.summary = summary
  }

  /** Returns what `JSON.stringify` shows: all but the items of the input, which are the caller's. */
  override toJSON(): Readonly<Record<string, unknown>> {
    const { failures, ...counts } = this.summary
    const shown = failures.map(({ item: _, ...failure }) => failure)
    return errorJson(this, { ...this, summary: { ...counts, failures: shown } })
  }
}

function messageOf(table: string, summary: BulkSummary, cause: unknown): string {
  const { read, done, failed, unknown, ending } = summary
  const early = ending === 'complete' ? '' : ' It ended early.'
  const { message }: { readonly message?: unknown } = Object(cause)
  const first = typeof message === 'string' ? ` First error: ${message}` : ''
  return (
    `The bulk write to table ${table} is incomplete: of ${read} operations ${done} were applied, ` +
    `${failed} failed and ${unknown} are unknown.${early}${first} ` +
    'Correct and repeat those of summary.failures.'
  )
}
