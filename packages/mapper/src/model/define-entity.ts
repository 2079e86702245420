import { checkOptions, type OptionNames } from '@rowkey/rest'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { ColumnFit, SecretName, WithSecrets } from '../schema/column-rule.ts'
import type { Drift, ReadRule } from '../schema/schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type {
  SchemaInput,
  SchemaOutput,
  StandardSchema,
} from '../standard-schema/standard-schema.ts'
import type { EntityModel } from './entity-model.ts'
import type { KeyFit } from './key-fit.ts'
import type { Lifetime } from './row-lifetime.ts'
import { schemaModel } from './schema-model.ts'
import type { TypeMark } from './to-discriminator.ts'
import { VERSION_OPTION_NAMES, type VersionOptions } from './version-options.ts'

/** The options of {@link defineEntity}. */
export interface EntityDefinition<
  Schema extends StandardSchema<unknown, object>,
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  ETagName extends string,
  TimestampName extends string,
  Columns extends object,
  Earlier extends object = object,
> extends VersionOptions<Earlier, NoInfer<DefinedInput<Schema, ETagName, TimestampName>> & object> {
  /** The table's name, also used in messages: 3 to 63 letters and digits, a letter first. */
  readonly name: string
  /** The template of the PartitionKey. */
  readonly partitionKey: KeyCodec<PartitionKeyValues>
  /** The template of the RowKey. */
  readonly rowKey: KeyCodec<RowKeyValues>
  /** An object schema of zod 4, valibot 1 or arktype 2, such as `z.object({ … })`: the properties and their values. */
  readonly schema: Schema
  /** The property that shows the ETag; absent, the ETag stays hidden. */
  readonly etag?: ETagName
  /** The property that shows when the service last changed the entity. */
  readonly timestamp?: TimestampName
  /** The stored names of properties that are stored under another name. */
  readonly storeAs?: { readonly [Name in keyof SchemaOutput<Schema>]?: string }
  /** Rules for the values of some properties, such as {@link encrypted}. */
  readonly columns?: Columns & ColumnFit<Columns, keyof SchemaOutput<Schema>>
  /** The keys that sign entities, from {@link signingKeys}. A read rejects an entity that was altered. */
  readonly signing?: SigningKeys
  /**
   * The rule for a stored entity that the schema rejects.
   *
   * @defaultValue `'strict'`, which throws a {@link SchemaError}
   */
  readonly read?: ReadRule
  /** Receives each of these entities when `read` is `'report'`. */
  readonly onDrift?: (drift: Drift) => void
  /**
   * Distinguishes the rows of the model from other rows of the table: one stored property, and its text,
   * such as `{ EntityType: 'Order' }`. Rows without it are rejected, and queries filter by it.
   */
  readonly discriminator?: TypeMark
  /** Hides entities that have expired or are deleted softly: see {@link lifetime}. */
  readonly lifetime?: Lifetime
}

/** The same type as one object, so that editors show its properties in place of the types it is made from. */
export type Shown<Type> = { [Name in keyof Type]: Type[Name] } & unknown

/** The entity of a definition, as it is read and written. */
export type DefinedEntity<
  Schema extends StandardSchema<unknown, object>,
  ETagName extends string,
  TimestampName extends string,
  Columns = unknown,
> = Shown<
  WithSecrets<SchemaOutput<Schema>, SecretName<Columns>> & { [Name in ETagName]?: string } & {
    [Name in TimestampName]?: Date
  }
>

/**
 * The objects that can be written as an entity of a definition: properties with a default are optional.
 */
export type DefinedInput<
  Schema extends StandardSchema<unknown, object>,
  ETagName extends string,
  TimestampName extends string,
> = Shown<
  SchemaInput<Schema> & { [Name in ETagName]?: string } & { [Name in TimestampName]?: Date }
>

const OPTION_NAMES: OptionNames<
  EntityDefinition<StandardSchema<unknown, object>, object, object, string, string, object>
> = {
  name: true,
  partitionKey: true,
  rowKey: true,
  schema: true,
  etag: true,
  timestamp: true,
  storeAs: true,
  columns: true,
  signing: true,
  read: true,
  onDrift: true,
  discriminator: true,
  lifetime: true,
  ...VERSION_OPTION_NAMES,
}

/**
 * Describes entities by a schema of zod 4, valibot 1 or arktype 2, without a class: plain objects in,
 * plain objects out, and every type follows from the schema.
 *
 * An entity is checked before it is sent, and defaults are assigned to the object; a merge checks only
 * what it sends. `read` decides how stored entities are checked. Properties that are parts of a key are
 * stored only in the key.
 *
 * Stored types: text is a String (`z.uuid()` and `z.guid()` a Guid). Numbers are Doubles, or Int32 where
 * they are known to fit (`z.int32()`, whole numbers between bounds). Bigints are Int64, dates DateTime,
 * and `z.instanceof(Uint8Array)` Binary. Arrays and objects are JSON text in a String.
 *
 * @throws {@link ModelError} for a property that no Edm type stores, a key part that the schema lacks,
 * and invalid stored names
 *
 * @example
 * ```ts
 * const Order = defineEntity({
 *   name: 'orders',
 *   partitionKey: key`${'customerId'}`,
 *   rowKey: key`0002_${'orderNo:8'}`,
 *   schema: z.object({ customerId: z.string(), orderNo: z.number().int(), total: z.number() }),
 * })
 * const orders = account.table(Order)
 * await orders.insert({ customerId: 'c1', orderNo: 7, total: 9.5 })
 * const order = await orders.get({ customerId: 'c1', orderNo: 7 })
 * ```
 */
export function defineEntity<
  const Schema extends StandardSchema<unknown, object>,
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  const ETagName extends string = never,
  const TimestampName extends string = never,
  Columns extends object = object,
  Earlier extends object = object,
>(
  definition: EntityDefinition<
    Schema,
    PartitionKeyValues,
    RowKeyValues,
    ETagName,
    TimestampName,
    Columns,
    Earlier
  > & {
    readonly partitionKey: KeyFit<PartitionKeyValues, Schema>
    readonly rowKey: KeyFit<RowKeyValues, Schema>
    readonly lifetime?: Lifetime<keyof SchemaOutput<Schema> & string>
  },
): EntityModel<
  DefinedEntity<Schema, ETagName, TimestampName, Columns>,
  DefinedInput<Schema, ETagName, TimestampName>,
  Shown<PartitionKeyValues & RowKeyValues>
> {
  checkOptions(definition, OPTION_NAMES, 'defineEntity')
  // The types follow from the schema, which the compiler cannot check.
  return schemaModel(definition) as EntityModel<never> as ReturnType<
    typeof defineEntity<Schema, PartitionKeyValues, RowKeyValues, ETagName, TimestampName, Columns>
  >
}
