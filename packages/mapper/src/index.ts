export { Account, type TableListOptions } from './account.ts'
export { Batch, type BatchResult, type ChangeOptions } from './batch.ts'
export { codecOf } from './codec/codec-of.ts'
export type { SentBody, TrackingCodec } from './codec/tracking-codec.ts'
export { Entity, type EntityOptions } from './decorators/entity.ts'
export { ETag } from './decorators/etag.ts'
export { Ignore } from './decorators/ignore.ts'
export type { AnyMemberDecorator, MemberDecorator } from './decorators/member-decorator.ts'
export { PartitionKey } from './decorators/partition-key.ts'
export { Property } from './decorators/property.ts'
export { RowKey } from './decorators/row-key.ts'
export type { StorableValue } from './decorators/storable-value.ts'
export { StoreAs } from './decorators/store-as.ts'
export { Timestamp } from './decorators/timestamp.ts'
export { ChangedKeyError } from './errors/changed-key-error.ts'
export { ModelError, type ModelErrorOptions } from './errors/model-error.ts'
export { ProjectedEntityError } from './errors/projected-entity-error.ts'
export type { EntityClass } from './metadata/entity-class.ts'
export type { Column, EntityModel } from './model/entity-model.ts'
export { modelOf } from './model/model-of.ts'
export type { EntityTarget } from './table/entity-target.ts'
export type { WriteOptions } from './table/write-options.ts'
export {
  Table,
  type TableParts,
  type TableQuery,
  type TableShape,
} from './table.ts'
