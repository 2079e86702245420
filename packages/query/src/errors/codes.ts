import { type CodedInputError, InputError } from '@rowkey/odata'

/**
 * The errors that `@rowkey/query` throws, by code: when they occur and what to do.
 *
 * @internal docs/errors.md shows it.
 */
export const queryErrorCodes = {
  InvalidContinuationToken: {
    class: 'InputError',
    when: 'A text is not a continuation token or belongs to another query.',
    fix: 'Pass a token exactly as a page of the same query returned it, or start without one.',
  },
  InvalidQuery: {
    class: 'InputError',
    when: 'A query can never be right: an unknown property, an operand that is `null`, a limit that is not a whole number.',
    fix: 'Correct the call that the message names. Nothing has been sent.',
  },
  NoRow: {
    class: 'NoRowError',
    when: '`.first()` found no row.',
    fix: 'Use `.firstOrUndefined()` where there may be no row.',
  },
  PartitionScan: {
    class: 'InputError',
    when: "A query does not bound RowKey, and the account's `scans` does not allow partition scans.",
    fix: 'Add a condition on RowKey, or call `.allowPartitionScan()`.',
  },
  ResolverFailed: {
    class: 'DecodeError',
    when: 'A resolver threw an error, which is the `cause`.',
    fix: 'Correct the resolver, or handle the row that `details` names.',
  },
  TableScan: {
    class: 'InputError',
    when: 'A query does not bound PartitionKey, so the service would read the whole table.',
    fix: 'Add a condition on PartitionKey, or call `.allowTableScan()`.',
  },
} as const

/** A code of `queryErrorCodes`. */
export type QueryErrorCode = keyof typeof queryErrorCodes

/** Makes an InputError whose code is in `queryErrorCodes`. */
export function queryInputError(options: CodedInputError<typeof queryErrorCodes>): InputError {
  return new InputError(options)
}
