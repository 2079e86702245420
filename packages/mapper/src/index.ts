export { Account } from './account/account.ts'
export type { AccountProperties } from './account/account-properties.ts'
export type { BufferedWriter } from './bulk/buffered-writer.ts'
export { BulkError, type BulkErrorOptions } from './bulk/bulk-error.ts'
export type {
  BufferOptions,
  BulkJournal,
  BulkOptions,
  ConflictPolicy,
  JournalFile,
  MissingPolicy,
} from './bulk/bulk-options.ts'
export type {
  BulkCounts,
  BulkDone,
  BulkEnding,
  BulkFailed,
  BulkOutcome,
  BulkProgress,
  BulkSkipped,
  BulkSubject,
  BulkSummary,
  BulkUnknown,
} from './bulk/bulk-outcome.ts'
export type { BulkRun } from './bulk/bulk-run.ts'
export type { BulkKind } from './bulk/bulk-target.ts'
export type { BulkChangeOptions, BulkDeletion, BulkWriter } from './bulk/bulk-writer.ts'
export type { BulkInput, WebStream, WebStreamReader } from './bulk/input-reader.ts'
export type { DynamicRow } from './codec/dynamic-codec.ts'
export type { Converter } from './convert/converter.ts'
export { type JsonOptions, jsonText } from './convert/json-text.ts'
export type { RegisteredConverter } from './convert/registered-converter.ts'
export { Convert, Json } from './decorators/converted-property.ts'
export { decorate, type MemberDecoration, type MemberDecorations } from './decorators/decorate.ts'
export {
  Encrypted,
  Plain,
  type SecretDecorator,
  type SecretWanted,
} from './decorators/encrypted.ts'
export { type CreatedEntityOptions, Entity, type EntityOptions } from './decorators/entity.ts'
export { Blob, Text } from './decorators/long-value.ts'
export type {
  AnyMemberContext,
  AnyMemberDecorator,
  DecoratedType,
  FittingMember,
  MappedContext,
  MemberDecorator,
  MemberOrProblem,
  ReadableMember,
  UnmappedMember,
  WritableMember,
} from './decorators/member-decorator.ts'
export {
  Ignore,
  Property,
  type StorableValue,
  StoreAs,
  type UnstorableType,
} from './decorators/property.ts'
export {
  ETag,
  type KeyDecorator,
  PartitionKey,
  RowKey,
  Timestamp,
} from './decorators/system-property.ts'
export {
  Binary,
  DateTime,
  type DeclaredAs,
  Double,
  Guid,
  Int32,
  Int64,
  type Int64Options,
  type SafeInt64Decorator,
  type TypedDecorator,
  type WrongType,
} from './decorators/typed-property.ts'
export {
  type EncryptionKeys,
  type EncryptionKeysOptions,
  encryptionKeys,
} from './encryption/encryption-keys.ts'
export type { KeyBytes, KeyRingOptions } from './encryption/key-ring.ts'
export type { DecryptionFailure } from './encryption/value-seal.ts'
export type { MapperErrorCode, mapperErrorCodes } from './errors/codes.ts'
export {
  KeptRowConflictError,
  type KeptRowConflictErrorOptions,
} from './errors/kept-row-conflict-error.ts'
export { ModelError, type ModelErrorOptions } from './errors/model-error.ts'
export {
  ModifyConflictError,
  type ModifyConflictErrorOptions,
} from './errors/modify-conflict-error.ts'
export { SchemaError, type SchemaErrorOptions, type SchemaIssue } from './errors/schema-error.ts'
export { joinPlans } from './keep/join-plans.ts'
export {
  entityRows,
  forbidKeepers,
  keepersOf,
  keepRows,
  planKeptRows,
} from './keep/keep-rows.ts'
export { PartitionTurns } from './keep/partition-turns.ts'
export type {
  DeletedPartitions,
  KeptCall,
  KeptPlan,
  KeptTable,
  RowKeeper,
  RowTransition,
} from './keep/row-keeper.ts'
export { type CodecValues, type KeyTemplatePart, type KeyTemplateValues, key } from './keys/key.ts'
export { KeyCodec } from './keys/key-codec.ts'
export type { KeyFormat } from './keys/key-format.ts'
export type {
  CheckedKeyParts,
  KeyFormats,
  KeyFormatValue,
  KeyPartName,
  KeyPartValue,
  KeyValues,
  KnownFormats,
  UnknownFormat,
} from './keys/key-values.ts'
export type { ReadPart, TemplatePart } from './keys/template-part.ts'
export { codecOf } from './layers/codec-of.ts'
export { type LifetimeOptions, lifetime } from './lifetime/lifetime.ts'
export {
  type LifetimeSweepOptions,
  type LifetimeTable,
  lifetimeOf,
} from './lifetime/lifetime-table.ts'
export { pickMembers } from './member/stored-member.ts'
export { isEntityClass } from './model/class-record.ts'
export {
  type DefinedEntity,
  type DefinedInput,
  defineEntity,
  type EntityDefinition,
  type Shown,
} from './model/define-entity.ts'
export type { Discriminator } from './model/discriminator.ts'
export { hasDiscriminator, typeRule } from './model/discriminator.ts'
export type { EntityClass } from './model/entity-class.ts'
export type {
  Column,
  EntityModel,
  KeyMembers,
  ModelVersion,
} from './model/entity-model.ts'
export type {
  EntityOf,
  InputOf,
  MemberEntity,
  MemberInput,
  MemberKey,
  TableGiven,
  UnionMember,
} from './model/entity-of.ts'
export type { KeptSlot, LoneDeclaration } from './model/kept-slot.ts'
export type {
  FittingClass,
  KeyFit,
  KeyProblem,
  NewableClass,
  NoProblem,
  ValueName,
} from './model/key-fit.ts'
export type { TypeMark } from './model/marks-of.ts'
export { modelOf } from './model/model-of.ts'
export { normalValues } from './model/normal-values.ts'
export type { Lifetime } from './model/row-lifetime.ts'
export type { RowLifetime, RowRule } from './model/row-rule.ts'
export type { RowTimes, TimeColumn, TimeOptions } from './model/row-times.ts'
export type { LaterFunction, VersionOptions } from './model/version-options.ts'
export { type RequestsInOrder, requestsInOrder } from './options/account-level.ts'
export type { AccountOptions, ScanOptions, TableOptions } from './options/table-options.ts'
export type { ChangeOptions, InsertOptions, WriteOptions } from './options/write-options.ts'
export { type FromPlainOptions, fromPlain } from './plain/from-plain.ts'
export { type PlainOf, type PlainValue, toPlain } from './plain/to-plain.ts'
export type { RowSource } from './rows/entity-source.ts'
export type { EntityTarget } from './rows/entity-target.ts'
export { keyFilter, queryModelOf } from './rows/query-model-of.ts'
export type {
  ManyOptions,
  NoText,
  OneKey,
  ResolveOptions,
  SelectOptions,
  TableShape,
} from './rows/read-options.ts'
export { positionIn, printPosition, type RowPosition } from './rows/resumed-source.ts'
export type { TableParts } from './rows/table-parts.ts'
export {
  type ColumnFit,
  type ColumnRule,
  converted,
  type EncryptedColumn,
  encrypted,
  longBytes,
  longText,
  plain,
  type SecretName,
  type SecretOf,
  type Series,
  series,
  type WithSecrets,
} from './schema/column-rule.ts'
export type { EntitySchema, Members, SchemaOutcome } from './schema/entity-schema.ts'
export type { Drift, ReadRule, SchemaRule } from './schema/schema-rule.ts'
export { readMembers, writeMembers } from './self-mapping/default-mapping.ts'
export type { SelfMapped } from './self-mapping/self-mapped.ts'
export {
  type SigningKeys,
  type SigningKeysOptions,
  signingKeys,
} from './signing/signing-keys.ts'
export type { SignatureFailure } from './signing/verify-entity.ts'
export type {
  GivenMembers,
  GivenPart,
  GivenValue,
  IsUnion,
  SchemaGiven,
  SchemaInput,
  SchemaOutput,
  StandardIssue,
  StandardPathStep,
  StandardResult,
  StandardSchema,
} from './standard-schema/standard-schema.ts'
export type { AccessPolicies } from './table/admin/access-policies.ts'
export type {
  CreateOptions,
  TableListOptions,
  TableNamesPage,
} from './table/admin/admin-options.ts'
export type { TableNames } from './table/admin/list-tables.ts'
export type { AccountSasTerms, TableSasTerms } from './table/admin/sas-terms-of.ts'
export { queryThrough } from './table/open-query.ts'
export type {
  CopyMode,
  CopyOptions,
  DeleteAllOptions,
  RawOptions,
} from './table/raw-options.ts'
export type { CopyDestination } from './table/raw-table.ts'
export { entityOfRow, type RowStep, storeRows } from './table/rows-together.ts'
export { Table, type TableWithin } from './table/table.ts'
export { TableQuery } from './table/table-query.ts'
export type {
  EntityUnion,
  UnionTableOptions,
  UnionTypes,
  UnknownRows,
} from './union/entity-union.ts'
export { type UnionOptions, union } from './union/union.ts'
export type { UnionBatch } from './union/union-batch.ts'
export { UnionTable, type UnionWithin, type UnionWrite } from './union/union-table.ts'
export { UnionType } from './union/union-type.ts'
export type { UpgradableTable, UpgradeWriter } from './versions/upgrade-table.ts'
export {
  type UpgradeOptions,
  type UpgradeProgress,
  upgradeTable,
} from './versions/upgrade-table.ts'
export { Batch, type BatchResult } from './writes/batch.ts'
export type { EntityModifier, ModifyOptions } from './writes/modify-entity.ts'
export {
  type DeleteOperation,
  Operation,
  type OperationFactories,
  type OperationResult,
  type ResultOf,
  type ResultsOf,
  type RetrieveOperation,
  type TableOperation,
  type TableWrite,
  type UnionOperation,
  type WriteKind,
  type WriteOperation,
} from './writes/operation.ts'
