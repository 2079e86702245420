import type { EdmType } from '@rowkey/odata'
import type { QueryShape } from '@rowkey/query'
import type { Converter } from '../convert/converter.ts'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { SchemaRule } from '../schema/schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { EntityClass } from './entity-class.ts'

/** One stored property of a class, keys, ETag and Timestamp aside. */
export interface Column {
  /** The member's name in the class. */
  readonly property: string
  /** The name it is stored under. */
  readonly name: string
  /** The type it is declared as; `undefined` when the value decides. */
  readonly type: EdmType | undefined
  /** What its values are encrypted with; absent when they are stored in the clear. */
  readonly encryption?: EncryptionKeys | undefined
  /** It is in the clear on purpose. */
  readonly plain?: boolean | undefined
  /** What its values are converted by; absent when they are Edm values. */
  readonly converter?: Converter | undefined
  /** Long values are cut into several properties. */
  readonly chunked?: boolean | undefined
}

/** How the rows of a model are marked: a stored property, and the text that it holds. */
export interface Discriminator {
  /** The stored name: `EntityType`. */
  readonly property: string
  /** What it holds in every row of the model: `Order`. */
  readonly value: string
}

/** The place of a model in a chain of versions. */
export interface ModelVersion {
  /** Which version it is, from 1. */
  readonly number: number
  /** The stored property that holds it: `Version`. */
  readonly property: string
  /** The model of the version before; absent when rows of earlier versions are refused. */
  readonly previous?: EntityModel<object> | undefined
  /** Makes an entity of one of the version before; there when that is. */
  readonly migrate?: ((earlier: object) => object) | undefined
  /** Returns the class or model of the version after; absent when rows of later versions are rejected. */
  readonly next?: (() => EntityClass<object> | EntityModel<object>) | undefined
  /** Makes an entity of one of the version after; present when `next` is. */
  readonly migrateBack?: ((later: object) => object) | undefined
}

declare const TYPES: unique symbol

/**
 * Names an entity by the properties that its keys are made of, all of them.
 *
 * @example
 * ```ts
 * class Person { state = ''; city = ''; id = 0; age?: number }
 * type A = KeyMembers<Person> // { state?: string; city?: string; id?: number; age?: number }
 * ```
 */
export type KeyMembers<Entity> = Readonly<Partial<QueryShape<Entity>>>

/**
 * How one class is stored: made once per class by `modelOf`, checked and frozen. Codec,
 * column names and query fields are all derived from it.
 */
export interface EntityModel<
  Entity extends object,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
> {
  /** Never there at run time: what may be written, and what names an entity. */
  readonly [TYPES]?: readonly [Input, Key]

  /** The table's name; `undefined` when `@Entity` gives none. */
  readonly name: string | undefined
  /** What messages call the model: the class's name, or the one that `defineEntity` gives. */
  readonly title: string
  /** The class; `undefined` for a model that `defineEntity` made. */
  readonly class: EntityClass<Entity> | undefined
  /** Makes a fresh instance to read an entity into. */
  create(): Entity
  /** How members make the PartitionKey; of `@PartitionKey()` it is one member as it is. */
  readonly partitionKey: KeyCodec
  /** How members make the RowKey. */
  readonly rowKey: KeyCodec
  /** The member that shows the ETag, if any. */
  readonly etag: string | undefined
  /** The member that shows the Timestamp, if any. */
  readonly timestamp: string | undefined
  /** The stored properties, in the order they are written. */
  readonly columns: readonly Column[]
  /** Members that are neither stored nor read. */
  readonly ignored: readonly string[]
  /** Members with a getter and no setter: written, never assigned. */
  readonly computed: readonly string[]
  /** What its entities are signed with; absent when they are not signed. */
  readonly signing?: SigningKeys | undefined
  /** The zod schema that entities are checked against, if any. */
  readonly schema?: SchemaRule | undefined
  /** What marks its rows among those of other types; absent when nothing does. */
  readonly discriminator?: Discriminator | undefined
  /** Which version of its entities it is; absent when they have none. */
  readonly version?: ModelVersion | undefined
}
