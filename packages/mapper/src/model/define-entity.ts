import { checkOptions } from '@rowkey/rest'
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
import { schemaModel } from './schema-model.ts'
import type { TypeMark } from './to-discriminator.ts'
import { VERSION_OPTION_NAMES, type VersionOptions } from './version-options.ts'

/** What {@link defineEntity} is told. */
export interface EntityDefinition<
  Schema extends StandardSchema<unknown, object>,
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  ETagName extends string,
  TimestampName extends string,
  Columns extends object,
  Earlier extends object = object,
> extends VersionOptions<Earlier, NoInfer<DefinedInput<Schema, ETagName, TimestampName>> & object> {
  /** The table's name: 3 to 63 letters and digits, a letter first. Messages call the model so. */
  readonly name: string
  /** How properties make the PartitionKey. */
  readonly partitionKey: KeyCodec<PartitionKeyValues>
  /** How properties make the RowKey. */
  readonly rowKey: KeyCodec<RowKeyValues>
  /** An object schema of zod 4, valibot 1 or arktype 2, such as `z.object({ … })`: the properties and their values. */
  readonly schema: Schema
  /** The property that shows the ETag; without one it is kept out of sight. */
  readonly etag?: ETagName
  /** The property that shows when the service last changed the entity. */
  readonly timestamp?: TimestampName
  /** The stored names of properties that have another one. */
  readonly storeAs?: { readonly [Name in keyof SchemaOutput<Schema>]?: string }
  /** What else is to be done with the values of some properties, such as {@link encrypted}. */
  readonly columns?: Columns & ColumnFit<Columns, keyof SchemaOutput<Schema>>
  /**
   * What to sign entities with, from {@link signingKeys}: an entity of which anything was altered is
   * refused when it is read.
   */
  readonly signing?: SigningKeys
  /**
   * What is done with a stored entity that the schema refuses.
   *
   * @defaultValue `'strict'`, which throws a {@link SchemaError}
   */
  readonly read?: ReadRule
  /** Is told of each such entity, when `read` is `'report'`. */
  readonly onDrift?: (drift: Drift) => void
  /**
   * Marks every row of the model among those of other types in the table: one stored property, and the
   * text that it holds, such as `{ EntityType: 'Order' }`. Rows without it are refused, and queries ask
   * for it.
   */
  readonly discriminator?: TypeMark
}

/**
 * The values of a key as the schema must have them: each part a property that is always there, of the
 * type that its format takes.
 *
 * @example
 * ```ts
 * // of z.object({ state: z.string(), no: z.number() })
 * type A = KeyFit<{ state: string }, typeof schema> // { state: string }
 * type B = KeyFit<{ stat: string }, typeof schema>  // { stat: never }, which is an error
 * ```
 */
export type KeyFit<Values, Schema extends StandardSchema<unknown, object>> = {
  [Name in keyof Values]: Name extends keyof SchemaOutput<Schema> & keyof SchemaInput<Schema>
    ? [SchemaInput<Schema>[Name], SchemaOutput<Schema>[Name]] extends [Values[Name], Values[Name]]
      ? Values[Name]
      : never
    : never
}

/** What an entity of a definition is, once it was read or written. */
export type DefinedEntity<
  Schema extends StandardSchema<unknown, object>,
  ETagName extends string,
  TimestampName extends string,
  Columns = unknown,
> = WithSecrets<SchemaOutput<Schema>, SecretName<Columns>> & { [Name in ETagName]?: string } & {
  [Name in TimestampName]?: Date
}

/** What may be given to be written as an entity of a definition: what has a default may be left out. */
export type DefinedInput<
  Schema extends StandardSchema<unknown, object>,
  ETagName extends string,
  TimestampName extends string,
> = SchemaInput<Schema> & { [Name in ETagName]?: string } & { [Name in TimestampName]?: Date }

const OPTION_NAMES = [
  'name',
  'partitionKey',
  'rowKey',
  'schema',
  'etag',
  'timestamp',
  'storeAs',
  'columns',
  'signing',
  'read',
  'onDrift',
  'discriminator',
  ...VERSION_OPTION_NAMES,
] as const

/**
 * Describes entities by a schema of zod 4, valibot 1 or arktype 2, without a class: plain objects in, plain
 * objects out, and every type follows from the schema.
 *
 * What is written is checked before it is sent, and defaults are put on the object; a merge checks what it
 * sends. What is read is checked as `read` says. Properties that are parts of a key are stored in the key
 * alone.
 *
 * Stored types: text is a String (`z.uuid()` and `z.guid()` a Guid), numbers are Doubles, and Int32 where
 * they are known to fit (`z.int32()`, whole numbers between bounds), bigints Int64, dates DateTime,
 * `z.instanceof(Uint8Array)` Binary. Arrays and objects are JSON text in a String.
 *
 * @throws {@link ModelError} for a property that no Edm type stores, a key part that the schema lacks, and
 * stored names that cannot be
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
  PartitionKeyValues extends KeyFit<PartitionKeyValues, Schema>,
  RowKeyValues extends KeyFit<RowKeyValues, Schema>,
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
  >,
): EntityModel<
  DefinedEntity<Schema, ETagName, TimestampName, Columns>,
  DefinedInput<Schema, ETagName, TimestampName>,
  PartitionKeyValues & RowKeyValues
> {
  checkOptions(definition, OPTION_NAMES, 'defineEntity')
  // The schema says at compile time what the model has at run time.
  return schemaModel(definition) as EntityModel<never> as ReturnType<
    typeof defineEntity<Schema, PartitionKeyValues, RowKeyValues, ETagName, TimestampName, Columns>
  >
}
