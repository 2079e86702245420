import { type CodedInputError, InputError } from '@rowkey/odata'

/**
 * The errors that `@rowkey/patterns` throws, by code: their class, when they occur and what to do.
 *
 * @internal docs/errors.md shows it.
 */
export const patternsErrorCodes = {
  LargeValueMissing: {
    class: 'DecodeError',
    when: 'A row refers to a value outside of the table that the store no longer has.',
    fix: 'Save the value again. Only `save` and `sweep` may delete values of the store.',
  },
  IndexDeclarationDiffers: {
    class: 'InputError',
    when: 'A write by a program that declares an index in another way than the program that keeps it: it would leave entries stale.',
    fix: 'Deploy the newer program, and call `ensure` of its indexes once. Or give the changed index another name. Nothing was written.',
  },
  IndexKeysShared: {
    class: 'InputError',
    when: 'The entries of two indexes of one table could have the same keys.',
    fix: 'Choose another beginning for one of them, or `remove` the one that is no longer declared. Nothing was written.',
  },
  IndexNotReadable: {
    class: 'InputError',
    when: 'A read by an index whose entries may be incomplete. The message names its state.',
    fix: 'Call `ensure`, or query the table without the index.',
  },
  InvalidCopy: {
    class: 'InputError',
    when: 'A write would store copies that differ from the entity that they are of, or copies of a missing entity. Or a batch changes an entity, and stores a holder with other copies.',
    fix: 'Call `fill` of the copies before the write, insert the missing entity first, or write the two entities one after the other. Nothing was written.',
  },
  InvalidLargeValue: {
    class: 'InputError',
    when: 'A write would store the address of a value that the store does not have, or that belongs to another row.',
    fix: 'Store the value with `stage` or `save`. Nothing was written.',
  },
  IndexStateChanged: {
    class: 'InputError',
    when: 'Another program changed an index while this one built or removed it.',
    fix: 'Call again, if this program should decide. Leave out an index that was removed, by the option `indexes`.',
  },
  InvalidPatternOption: {
    class: 'InputError',
    when: 'An option or argument of a pattern has an invalid value.',
    fix: 'Give a value of the kind that the message names.',
  },
  KeptRowClash: {
    class: 'InputError',
    when: 'Two models of one table keep rows under the same RowKeys, such as two summaries whose keys begin alike.',
    fix: 'Give one of them keys with another beginning. Nothing was written.',
  },
  KeyInIndex: {
    class: 'InputError',
    when: 'The RowKey of an entity begins like the entries of an index or the messages of an outbox, so a reader could take it for one.',
    fix: 'Choose another RowKey, or another beginning for the index or the outbox.',
  },
  UndeclaredProperty: {
    class: 'InputError',
    when: 'A wide entity has a value in a property that none of its models declares.',
    fix: 'Declare the property in one of the models, or remove it.',
  },
  UnknownPatternObject: {
    class: 'InputError',
    when: 'A write needs an object that the same table object read or wrote before, because it keeps the versions of its rows.',
    fix: 'Read the entity, change the result and write it; or use `modify`.',
  },
  PartitionChanging: {
    class: 'ETagMismatchError',
    when: 'A `rebuild` or `ensure` of summaries of a partition whose groups other programs changed during each of 10 attempts.',
    fix: 'Call it again later.',
  },
  SummaryDiffers: {
    class: 'InputError',
    when: 'A summary is kept by another declaration: another key, other sums, another `where` or `revision`, or another version of the model. Or the table had rows when it was declared.',
    fix: 'Call `ensure` of the summaries when the other declaration is no longer needed. Nothing was written.',
  },
  SumOutOfRange: {
    class: 'InputError',
    when: 'A write would make a sum of a summary larger than its stored type holds. The message names the summary and the property.',
    fix: 'Divide the group, or sum another property. Nothing was written.',
  },
  UnreadableKeptRow: {
    class: 'DecodeError',
    when: 'A row that is kept beside the entities, of a summary or an outbox, does not hold what was stored: another program changed it.',
    fix: 'Run `rebuild` of the summaries; correct or delete the row of an outbox.',
  },
  UniqueValueTaken: {
    class: 'UniqueValueError',
    when: 'Another entity has the value of a unique index. `index`, `properties` and `owner` say which.',
    fix: 'Choose another value. Nothing was stored.',
  },
} as const

/** A code of `patternsErrorCodes`. */
export type PatternsErrorCode = keyof typeof patternsErrorCodes

/** Makes an InputError whose code is in `patternsErrorCodes`. */
export function patternsInputError(
  options: CodedInputError<typeof patternsErrorCodes>,
): InputError {
  return new InputError(options)
}

/** Makes the error of an invalid option or argument. */
export function invalidPatternOption(message: string): InputError {
  return patternsInputError({ code: 'InvalidPatternOption', message })
}
