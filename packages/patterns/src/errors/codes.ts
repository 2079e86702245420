import { type CodedInputError, InputError } from '@rowkey/odata'

/**
 * The errors that `@rowkey/patterns` throws, by code: their class, when they occur and what to do.
 *
 * @internal docs/errors.md shows it.
 */
export const patternsErrorCodes = {
  BuildIncomplete: {
    class: 'InputError',
    when: 'A `build` of indexes, summaries or copies whose last look found rows without their entries, a unique value that several entities share, or unreadable rows. The message names the first.',
    fix: 'End the programs that write without the declaration, or mend the rows. Then build again.',
  },
  DefinitionChanged: {
    class: 'InputError',
    when: 'Another program builds an index, a summary or copies while this one drops them.',
    fix: 'Call `drop` again, if this program should decide.',
  },
  LargeValueMissing: {
    class: 'DecodeError',
    when: 'A row refers to a value outside of the table that the store no longer has.',
    fix: 'Save the value again. Only `save` and `sweep` may delete values of the store.',
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
  InvalidPatternOption: {
    class: 'InputError',
    when: 'An option or argument of a pattern has an invalid value.',
    fix: 'Give a value of the kind that the message names.',
  },
  MessagesLeft: {
    class: 'InputError',
    when: 'A `deleteAll` of a table from `within` whose entities were deleted, and a message that follows from one of them could not be handled.',
    fix: 'Mend the handler of the message, and call `deleteAll` again. Until then nothing but the entities is deleted.',
  },
  NotReadable: {
    class: 'InputError',
    when: 'A read by an index or of a summary that is not built or was dropped.',
    fix: 'Call `build` once, when every program that writes the table declares it. Or query the table without it.',
  },
  UndeclaredDefinition: {
    class: 'InputError',
    when: 'A write by a program that declares something for a model, but not a readable index, summary or copies of other programs: it would leave them wrong.',
    fix: 'Deploy a program that declares it, too. Or `drop` it, by its name and fingerprint. Nothing was written.',
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
    when: 'A `build` or `repair` of summaries of a partition whose groups other programs changed during each of 10 attempts.',
    fix: 'Call it again later.',
  },
  SumOutOfRange: {
    class: 'InputError',
    when: 'A write would make a sum of a summary larger than its stored type holds. The message names the summary and the property.',
    fix: 'Divide the group, or sum another property. Nothing was written.',
  },
  UnreadableKeptRow: {
    class: 'DecodeError',
    when: 'A row of a summary or an outbox does not have what was stored: another program changed it.',
    fix: 'Run `repair` of the summaries; correct or delete the row of an outbox.',
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
