import { type CodeOf, DecodeError, InputError } from '@rowkey/odata'

/**
 * The errors that `@rowkey/azure-entities` itself throws, by code: their class, when they occur and what
 * to do.
 *
 * @internal docs/errors.md shows it.
 */
export const azureEntitiesErrorCodes = {
  DecryptionFailed: {
    class: 'DecodeError',
    when: 'An encrypted property cannot be decrypted: the `cryptoKey` differs, or the stored bytes were changed.',
    fix: 'Set up the class with the `cryptoKey` that the row was written with.',
  },
  EntityWriteCongestionError: {
    class: 'EntityWriteCongestionError',
    when: 'The row changed during each of the ten attempts of `modify`.',
    fix: 'Modify the row less often, or spread its values over several rows.',
  },
  InvalidCondition: {
    class: 'InputError',
    when: 'A condition of `scan` or `query` names an unknown property, or a property whose type cannot be compared this way.',
    fix: 'Correct the condition that the message names.',
  },
  InvalidConfiguration: {
    class: 'InputError',
    when: 'The options of `Entity.configure` break a rule, or do not continue the previous version.',
    fix: 'Correct the option that the message names.',
  },
  InvalidContinuationToken: {
    class: 'InputError',
    when: 'The `continuation` of `scan` or `query` is not a token of that library.',
    fix: 'Pass `data.continuation` of the previous page. Screen texts of users with `Entity.continuationTokenPattern`.',
  },
  InvalidKey: {
    class: 'InputError',
    when: 'A key is defined with properties that cannot form it.',
    fix: 'Correct the key that the message names.',
  },
  InvalidScanOption: {
    class: 'InputError',
    when: 'An option of `scan` or `query` has a value that it cannot have.',
    fix: 'Correct the option that the message names.',
  },
  InvalidSetup: {
    class: 'InputError',
    when: 'The options of `setup` are incomplete or contradict the configuration.',
    fix: 'Correct the option that the message names.',
  },
  InvalidState: {
    class: 'InputError',
    when: 'A class is used before `setup`, or is configured or set up again after it.',
    fix: 'Call `configure` first, then `setup` once, and keep the class that `setup` returns.',
  },
  InvalidValue: {
    class: 'InputError',
    when: 'A value does not have the type of its property. `details.property` names the property.',
    fix: 'Pass a value of the type that the message names.',
  },
  KeyChanged: {
    class: 'InputError',
    when: '`modify` changed a property of the partition key or the row key.',
    fix: 'Create another row and remove this one.',
  },
  MigrationFailed: {
    class: 'DecodeError',
    when: '`migrate` threw, or returned nothing, for a row of an older version. `cause` is its error.',
    fix: 'Correct `migrate`: it must return all properties of its version.',
  },
  MissingKeyProperty: {
    class: 'InputError',
    when: 'The properties or conditions of a call are not enough to make the key.',
    fix: 'Give every property of the key, with a value or with `Entity.op.equal`.',
  },
  PropertyTooLarge: {
    class: 'InputError',
    when: 'A value is too large: 256 KiB for types that are stored in chunks, 32 bytes less when encrypted, and 32,768 UTF-16 units for String.',
    fix: 'Keep the value elsewhere, such as in a blob, and store its address.',
  },
  SignatureMismatch: {
    class: 'DecodeError',
    when: 'The signature of a row does not match its properties: the `signingKey` differs, or the row was changed.',
    fix: 'Set up the class with the `signingKey` that the row was written with; otherwise treat the row as forged.',
  },
  UnreadableProperty: {
    class: 'DecodeError',
    when: 'A stored property is missing or does not have the type of its declaration.',
    fix: 'Correct the row, or declare the property as it is stored.',
  },
  UnreadableVersion: {
    class: 'DecodeError',
    when: 'The version of a row is missing or newer than the configured one.',
    fix: 'Deploy the version of the program that knows this version of the rows.',
  },
} as const

/** A code of `azureEntitiesErrorCodes`. */
export type AzureEntitiesErrorCode = keyof typeof azureEntitiesErrorCodes

/** Makes an InputError with a code of `azureEntitiesErrorCodes`. */
export function entitiesInputError(
  code: CodeOf<typeof azureEntitiesErrorCodes, 'InputError'>,
  message: string,
  property?: string,
): InputError {
  return new InputError({ code, message, details: { property } })
}

/** Makes a DecodeError with a code of `azureEntitiesErrorCodes`. */
export function entitiesDecodeError(
  code: CodeOf<typeof azureEntitiesErrorCodes, 'DecodeError'>,
  message: string,
  details: {
    readonly property?: string
    readonly storedVersion?: number
    readonly cause?: unknown
  } = {},
): DecodeError {
  const { cause, ...place } = details
  return new DecodeError({ code, message, details: place, ...(cause !== undefined && { cause }) })
}
