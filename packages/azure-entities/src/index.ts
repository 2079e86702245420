export type { MatchOptions } from './conditions/filter-of.ts'
export type { Comparison, Op, OperatorName, Operators } from './conditions/op.ts'
export type { ConfigureOptions, PropertyTypes, ValuesOf } from './definition/configure-options.ts'
export type { Properties } from './definition/definition.ts'
export type { EntityState } from './definition/entity-state.ts'
export {
  type ConfiguredClass,
  type DraftOf,
  Entity as default,
  type EntityClass,
} from './entity.ts'
export type {
  EntityWriteCongestionError,
  EntityWriteCongestionErrorOptions,
} from './errors/entity-write-congestion-error.ts'
export type { Key, KeyConditions, KeyDefinition, Mapping } from './keys/key.ts'
export type { Keys } from './keys/keys.ts'
export type { ConditionsOf, HasProperties, PropertiesOf } from './operations/class-types.ts'
export type { HasHandler, ScanOptions, ScanResult } from './operations/scan-options.ts'
export type { Monitor } from './operations/table-client.ts'
export type { AccountCredentials, SasSource, SetupOptions } from './setup/setup-options.ts'
export type { BaseType, Operator, PropertyType, Row } from './types/base-type.ts'
export type { BaseBufferType } from './types/buffer-type.ts'
export type { SlugIdType, UUIDType } from './types/id-types.ts'
export type { NumberType, PositiveIntegerType } from './types/number-types.ts'
export type { SlugIdArray } from './types/slug-id-array.ts'
export type { SlugIdArrayType, Types } from './types/types.ts'
export type { BaseValueType, BooleanType, DateType, StringType } from './types/value-types.ts'
