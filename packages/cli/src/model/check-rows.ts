import type { DecodeError } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'

/** The rows that a model cannot read for one reason. */
export interface Misfit {
  /** The code of the error. */
  readonly code: string
  /** The property that does not fit; absent when the error names none. */
  readonly property?: string | undefined
  /** How many rows. */
  count: number
  /** The keys and the messages of the first ones. */
  readonly examples: { readonly key: readonly string[]; readonly message: string }[]
}

/** A query of a table with a model. */
export interface CheckedQuery {
  allowTableScan(): CheckedQuery
  take(limit: number): CheckedQuery
  onBadRow(policy: (error: DecodeError) => void): CheckedQuery
  rows(options: CallOptions): AsyncIterable<unknown>
}

const MOST_EXAMPLES = 3

/**
 * Reads rows by a model, and collects the reasons why it cannot read some.
 *
 * @param query - the rows
 * @param options - the options of each request
 */
export async function checkRows(
  query: CheckedQuery,
  options: CallOptions,
): Promise<{ readonly read: number; readonly misfits: readonly Misfit[] }> {
  const misfits = new Map<string, Misfit>()
  let read = 0
  const onBadRow = ({ code, message, details }: DecodeError): void => {
    const { partitionKey = '', rowKey = '', property } = details
    const id = JSON.stringify([code, property])
    const misfit = misfits.get(id) ?? { code: String(code), property, count: 0, examples: [] }
    misfits.set(id, misfit)
    misfit.count++
    if (misfit.examples.length < MOST_EXAMPLES)
      misfit.examples.push({ key: [partitionKey, rowKey], message })
  }
  for await (const _ of query.onBadRow(onBadRow).rows(options)) read++
  return { read, misfits: [...misfits.values()].sort((one, other) => other.count - one.count) }
}
