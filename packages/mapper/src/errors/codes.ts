import { type CodedDecodeError, type CodedInputError, DecodeError, InputError } from '@rowkey/odata'

/**
 * The errors that `@rowkey/mapper` throws, by code: their class, when they occur and what to do. An `InputError`
 * about a stored row is thrown as a `DecodeError` with the same code.
 *
 * @internal docs/errors.md shows it.
 */
export const mapperErrorCodes = {
  AmbiguousEntityType: {
    class: 'InputError',
    when: 'An object fits several types of a union.',
    fix: 'Give the type before the entity, or use `ofType`.',
  },
  BulkIncomplete: {
    class: 'BulkError',
    when: 'Operations of a bulk write failed or are unknown, or the write ended early. `summary` has the counts and the first 100 errors, `cause` is the first of them.',
    fix: 'Correct and repeat the operations that failed. For those that are unknown, call `resolve()` of their error.',
  },
  ChangedKey: {
    class: 'InputError',
    when: 'PartitionKey or RowKey of an entity changed since it was read, so a write would go to another row.',
    fix: 'Insert the entity under its new key, and delete the old one.',
  },
  ConversionFailed: {
    class: 'InputError',
    when: 'A value cannot be converted to its stored form or back. `details.property` has the class and the property, `cause` the error of the converter.',
    fix: 'Correct the value or the converter; for a stored value, the row.',
  },
  DecryptionFailed: {
    class: 'DecodeError',
    when: 'A stored value cannot be decrypted. `details.reason` is `plaintext`, `malformed`, `unknownKey` or `tampered`, `details.keyId` the key.',
    fix: 'For `unknownKey` add the key, for `plaintext` see `encryptionKeys`. Do not use a value that was tampered with.',
  },
  EncryptionRequired: {
    class: 'InputError',
    when: 'The account has `requireEncryption`, but a property would be stored unencrypted.',
    fix: 'Declare the property with `@Encrypted`, or with `@Plain` if everyone may read it.',
  },
  InvalidEntity: {
    class: 'InputError',
    when: 'A write received a value that is not an entity, or an object that no type of a union accepts.',
    fix: 'Pass an object with the properties that the message names.',
  },
  InvalidJsonValue: {
    class: 'InputError',
    when: 'JSON cannot hold a value of a JSON property, or a stored text is not JSON. `details.path` is the place in the value.',
    fix: 'Use plain objects, arrays, strings, finite numbers and booleans, or convert the value.',
  },
  InvalidKeyPart: {
    class: 'InputError',
    when: 'A property that is part of a key is missing, or its value does not fit the format of the part.',
    fix: 'Give the property a value of the kind that the message names.',
  },
  InvalidKeyRing: {
    class: 'InputError',
    when: 'The keys for encryption or signing are invalid: wrong length, unknown `current`, invalid id.',
    fix: 'Correct the option that the message names. Each key has 32 bytes.',
  },
  InvalidKeyTemplate: {
    class: 'InputError',
    when: 'A key template names an unknown format, has parts that cannot be separated, or contains text that a key cannot hold.',
    fix: 'Correct the template as the message says. docs/keys.md lists the formats.',
  },
  InvalidModel: {
    class: 'ModelError',
    when: 'A class or model cannot be mapped to a table: a missing key, contradicting decorators, an unknown property.',
    fix: 'Correct the declaration that the message names.',
  },
  JournalInUse: {
    class: 'InputError',
    when: 'Two runs use the journal of a bulk write at the same time.',
    fix: 'Wait for the end of the other run, or give each run a journal of its own.',
  },
  JournalMismatch: {
    class: 'InputError',
    when: 'The journal of a bulk write belongs to another input or table, or is not a journal.',
    fix: 'Give the input of the earlier run, or begin a new journal.',
  },
  KeyMismatch: {
    class: 'InputError',
    when: 'A key does not have the form of the key template: another program or another model made it.',
    fix: 'Read these rows with their own model, or as `DynamicEntity`.',
  },
  KeptRowConflict: {
    class: 'KeptRowConflictError',
    when: 'Other programs changed a row that a pattern stores with the entity, such as a count, during every attempt of a write. `key` and `keptFor` say which.',
    fix: 'Try later, allow more attempts, or spread the writes over more rows or partitions. Nothing was stored.',
  },
  LaterVersion: {
    class: 'InputError',
    when: 'An entity was read from a row of the next version, and that row cannot hold the change. The next version has no `migrate`, or the change would not show in the row.',
    fix: 'Update the program, or let `migrate` and `migrateBack` carry the property. `details.property` is its stored name.',
  },
  MemberNotAllowed: {
    class: 'InputError',
    when: 'The plain object of `fromPlain` has a member that `only` does not name.',
    fix: 'Leave the member out, or name it in `only`.',
  },
  MigrationFailed: {
    class: 'DecodeError',
    when: '`migrate` or `migrateBack` threw, or its result cannot be stored. `cause` is the error.',
    fix: 'Correct the function; the row is unchanged.',
  },
  ModifyConflict: {
    class: 'ModifyConflictError',
    when: 'The entity changed during every attempt of `modify`.',
    fix: 'Try later, allow more attempts, or spread the data over several entities.',
  },
  OutsideWithin: {
    class: 'InputError',
    when: 'A call of a table from `within` names a row outside the fixed properties, or is about the whole table.',
    fix: 'Use the table of these rows, or the whole table.',
  },
  ProjectedEntity: {
    class: 'InputError',
    when: 'A replace of an entity that was read with `select`, or of a version that was not read, would drop properties.',
    fix: "Use `merge`, or reload the entity first. `{ etag: '*' }` replaces a row only with an object that was not read with `select`.",
  },
  ReservedKey: {
    class: 'InputError',
    when: 'The RowKey of an entity begins with `~rk~`, as only index rows, counts, markers and other rows of Rowkey itself do.',
    fix: 'Choose another RowKey.',
  },
  SchemaMismatch: {
    class: 'SchemaError',
    when: 'An entity does not fit its schema. `issues` lists every place. A stored row that does not fit is a `DecodeError` with this code.',
    fix: 'Correct the values, or the row.',
  },
  SignatureInvalid: {
    class: 'DecodeError',
    when: 'The signature of a stored entity is missing or wrong. `details.reason` is `unsigned`, `malformed`, `unknownKey`, `tampered` or `partial`, `details.keyId` the key.',
    fix: 'For `unknownKey` add the key, for `unsigned` see `signingKeys`, for `partial` read without `select`. Do not use an entity that was tampered with.',
  },
  StaleProperty: {
    class: 'InputError',
    when: "A merge would send a property whose value at the version of the entity's ETag is unknown.",
    fix: "Reload the entity and change it again, or pass `{ etag: '*' }`.",
  },
  UndeclaredProperty: {
    class: 'InputError',
    when: 'An entity has a property that its class or model does not declare.',
    fix: 'Declare the property, or mark it with `@Ignore`.',
  },
  UnknownEntityType: {
    class: 'InputError',
    when: 'An object does not fit any type of a union. `cause` is a `SchemaError` with the issues of the nearest type.',
    fix: 'Pass an entity of one of the types, or add its type to the union.',
  },
  UnknownType: {
    class: 'DecodeError',
    when: 'A row does not belong to any type of the union.',
    fix: "Add its type to the union, or read rows of other types with `{ unknown: 'dynamic' }`.",
  },
  UnknownVersion: {
    class: 'InputError',
    when: "A write by another ETag than the object's own, such as `'*'` or an upsert, met a row of another version. A merge would mix two versions in one row, and a replace would lose what a later version added.",
    fix: 'Read the entity and write it with its own ETag, or use `modify`.',
  },
  UnreadableVersion: {
    class: 'DecodeError',
    when: 'A row has a version that this program cannot read. `details.storedVersion` is that version.',
    fix: 'Update the program. For a property of another program, choose another `versionProperty`.',
  },
  UnsafeInteger: {
    class: 'InputError',
    when: 'An Int64 that is declared as a number has a value that a number cannot hold exactly, or the number is not whole. A stored value is a `DecodeError` with this code.',
    fix: "Declare the property as `bigint`, without `{ as: 'number' }`.",
  },
  UnsignableMerge: {
    class: 'InputError',
    when: 'A merge of a signed entity that is not known completely, so its signature cannot be computed.',
    fix: 'Read the whole entity first, or use `replace`.',
  },
  WriterClosed: {
    class: 'InputError',
    when: 'An operation came to a buffered writer after `close()`.',
    fix: 'Add operations before `close()`, or open another writer.',
  },
} as const

/** A code of `mapperErrorCodes`. */
export type MapperErrorCode = keyof typeof mapperErrorCodes

/** Makes an InputError whose code is in `mapperErrorCodes`. */
export function mapperInputError(options: CodedInputError<typeof mapperErrorCodes>): InputError {
  return new InputError(options)
}

/** Makes a DecodeError whose code is in `mapperErrorCodes`. */
export function mapperDecodeError(options: CodedDecodeError<typeof mapperErrorCodes>): DecodeError {
  return new DecodeError(options)
}
