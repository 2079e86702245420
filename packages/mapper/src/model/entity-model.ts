import type { EdmType } from '@rowkey/odata'
import type { QueryShape } from '@rowkey/query'
import type { Converter } from '../convert/converter.ts'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { Series } from '../schema/column-rule.ts'
import type { SchemaRule } from '../schema/schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { Discriminator } from './discriminator.ts'
import type { EntityClass } from './entity-class.ts'
import type { KeptSlot } from './kept-slot.ts'
import type { RowLifetime } from './row-rule.ts'
import type { RowTimes } from './row-times.ts'

/** One stored property of a class, other than keys, ETag and Timestamp. */
export interface Column {
  /** The member's name in the class. */
  readonly property: string
  /** The stored name. */
  readonly name: string
  /** The declared type; `undefined` when the value decides. */
  readonly type: EdmType | undefined
  /** What the compiler says of values whose stored type it leaves open; absent when it says nothing. */
  readonly kind?: 'number' | 'string' | undefined
  /** The keys that encrypt its values; absent when they are not encrypted. */
  readonly encryption?: EncryptionKeys | undefined
  /** Whether it is unencrypted on purpose. */
  readonly plain?: boolean | undefined
  /** The converter of its values; absent when they are Edm values. */
  readonly converter?: Converter | undefined
  /** Present when the schema changes some stored values, which stay as they are while the property is unchanged. */
  readonly steps?: Converter | undefined
  /** Present when long values are cut into several properties. */
  readonly chunked?: boolean | undefined
  /** Present when its value is an array, each of whose values is a stored property of its own. */
  readonly series?: Series | undefined
  /** Present when the schema gives it a default. */
  readonly hasDefault?: boolean | undefined
}

/** The place of a model in a chain of versions. */
export interface ModelVersion {
  /** The number of the version, from 1. */
  readonly number: number
  /** The stored property with the number: `Version`. */
  readonly property: string
  /** The model of the previous version; absent when rows of earlier versions are rejected. */
  readonly previous?: EntityModel<object> | undefined
  /** Converts an entity of the previous version; present when `previous` is. */
  readonly migrate?: ((earlier: object) => object) | undefined
  /** Returns the class or model of the next version; absent when rows of later versions are rejected. */
  readonly next?: (() => EntityClass<object> | EntityModel<object>) | undefined
  /** Converts an entity of the next version; present when `next` is. */
  readonly migrateBack?: ((later: object) => object) | undefined
}

declare const TYPES: unique symbol

/**
 * Names an entity by all properties of its key.
 *
 * @example
 * ```ts
 * class Person { state = ''; city = ''; id = 0; age?: number }
 * type A = KeyMembers<Person> // { state?: string; city?: string; id?: number; age?: number }
 * ```
 */
export type KeyMembers<Entity> = {
  readonly [Name in keyof QueryShape<Entity>]?: QueryShape<Entity>[Name]
}

/**
 * Describes how one class is stored. `modelOf` makes, checks and freezes it once per class. Codec, stored
 * names and query fields are derived from it.
 */
export interface EntityModel<
  Entity extends object,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
  Partition extends object = object,
> {
  /** Only for the compiler: the objects that can be written, the properties of the key, and those of the PartitionKey. */
  readonly [TYPES]?: readonly [Input, Key, Partition]

  /** The table's name; `undefined` when `@Entity` does not have one. */
  readonly name: string | undefined
  /** The name in messages: that of the class, or of `defineEntity`. */
  readonly title: string
  /** The class; `undefined` for a model from `defineEntity`. */
  readonly class: EntityClass<Entity> | undefined
  /** Makes a fresh instance to read an entity into. */
  create(): Entity
  /** The template of the PartitionKey; for `@PartitionKey()` it is one member as it is. */
  readonly partitionKey: KeyCodec
  /** The template of the RowKey. */
  readonly rowKey: KeyCodec
  /** The member that shows the ETag, if any. */
  readonly etag: string | undefined
  /** The member that shows the Timestamp, if any. */
  readonly timestamp: string | undefined
  /** The stored properties, in the order they are written. */
  readonly columns: readonly Column[]
  /** Members that are neither stored nor read. */
  readonly ignored: readonly string[]
  /** Members with a getter but no setter: written, never assigned. */
  readonly computed: readonly string[]
  /** The keys that sign its entities; absent when they are not signed. */
  readonly signing?: SigningKeys | undefined
  /** The schema of its entities, if any. */
  readonly schema?: SchemaRule | undefined
  /** The mark of its rows; absent without one. */
  readonly discriminator?: Discriminator | undefined
  /** The version of its entities; absent without versions. */
  readonly version?: ModelVersion | undefined
  /** Decides which of its rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
  /** The times that its writes keep; absent without one. */
  readonly times?: RowTimes | undefined
  /** What decides the order of its rows, where another program may change it: continuation tokens belong to it. */
  readonly order?: string | undefined
  /** What is kept in step with its rows. */
  readonly kept: KeptSlot
}
