export type {
  Comparison,
  ConditionsOf,
  MatchOptions,
  Op,
  OperatorName,
  Operators,
} from './conditions/conditions.ts'
export type {
  ConfigureOptions,
  HasProperties,
  PropertiesOf,
  PropertyTypes,
  ValuesOf,
} from './definition/configuration.ts'
export type { Properties } from './definition/definition.ts'
export type { EntityState } from './definition/entity-row.ts'
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
export type { Key, KeyConditions, KeyDefinition, Keys, Mapping } from './keys/keys.ts'
export type { HasHandler, ScanOptions, ScanResult } from './operations/scan.ts'
export type { Monitor } from './operations/table-client.ts'
export type { AccountCredentials, SasSource, SetupOptions } from './setup/setup-options.ts'
export type { BaseType, Operator, PropertyType, Row } from './types/base-type.ts'
export type { BaseBufferType } from './types/buffer-type.ts'
export type { SlugIdArray } from './types/slug-id-array.ts'
export type { SlugIdArrayType, Types } from './types/types.ts'
export type {
  BaseValueType,
  BooleanType,
  DateType,
  NumberType,
  PositiveIntegerType,
  SlugIdType,
  StringType,
  UUIDType,
} from './types/value-types.ts'
