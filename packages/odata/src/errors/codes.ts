import { DecodeError, type DecodeErrorDetails } from './decode-error.ts'
import type { CodeOf } from './error-codes.ts'
import { InputError, type InputErrorDetails } from './input-error.ts'

/**
 * The errors that `@rowkey/odata` throws, by code: when they occur and what to do.
 *
 * @internal docs/errors.md shows it.
 */
export const odataErrorCodes = {
  ContinuationLoop: {
    class: 'DecodeError',
    when: 'A page of a query ends with the continuation token of an earlier page, so the query would never end.',
    fix: 'Start the query again. If it happens again, the service or the source of the query is at fault.',
  },
  InvalidEntityJson: {
    class: 'DecodeError',
    when: 'A text is not the JSON of one entity.',
    fix: 'Check where the text comes from: it must be a JSON object.',
  },
  InvalidEntityKey: {
    class: 'InputError',
    when: 'A PartitionKey or RowKey is not a string, has more than 512 UTF-16 units, or contains `/`, `\\`, `#`, `?`, a control character or half of a surrogate pair. `details.property` names it.',
    fix: 'Correct the key, or escape it with `:escaped` in a key template.',
  },
  InvalidFilter: {
    class: 'FilterSyntaxError',
    when: 'The text of a `$filter` cannot be parsed, or a tree contains what no filter has. `position` is the place in the text.',
    fix: 'Correct the filter at the place that the message shows.',
  },
  InvalidOptionValue: {
    class: 'InputError',
    when: 'An option or an argument has an invalid value. `details.option` names it.',
    fix: 'Give a value that the message describes.',
  },
  InvalidPropertyName: {
    class: 'InputError',
    when: 'A property name is not a letter or `_` with letters, digits and `_` after it, has more than 255 UTF-16 units, or is a system property.',
    fix: 'Choose another name, or store the property under another one with `@StoreAs`.',
  },
  InvalidPropertyValue: {
    class: 'InputError',
    when: 'An Edm type cannot hold a value without loss: a fraction as Int32, a number beyond 64 bits, an invalid Date. `details` has `property` and `type`.',
    fix: 'Correct the value, or declare another type.',
  },
  UnknownOption: {
    class: 'InputError',
    when: 'An options object has an unknown option, often a misspelled one.',
    fix: 'Use one of the options that the message lists.',
  },
  UnreadableProperty: {
    class: 'DecodeError',
    when: 'A stored property is not a value of its type, or of a type that tables do not have.',
    fix: 'Correct the row that `details` names: another program wrote it, or a proxy changed it.',
  },
  UnreadableRow: {
    class: 'DecodeError',
    when: 'Reading a row threw an error that has no code of its own. It is the `cause`.',
    fix: 'Correct the row that `details` names, or let a query skip it with `.onBadRow`.',
  },
} as const

/** A code of `odataErrorCodes`. */
export type OdataErrorCode = keyof typeof odataErrorCodes

/** Makes an InputError whose code is in `odataErrorCodes`. */
export function odataInputError(
  code: CodeOf<typeof odataErrorCodes, 'InputError'>,
  message: string,
  details: InputErrorDetails,
): InputError {
  return new InputError({ code, message, details })
}

/** Makes a DecodeError whose code is in `odataErrorCodes`. */
export function odataDecodeError(
  code: CodeOf<typeof odataErrorCodes, 'DecodeError'>,
  message: string,
  details: DecodeErrorDetails = {},
  cause?: unknown,
): DecodeError {
  return new DecodeError({ code, message, details, ...(cause !== undefined && { cause }) })
}
