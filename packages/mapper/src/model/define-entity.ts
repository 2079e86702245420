import { anything, declareOptions, required, rule } from '@rowkey/odata'
import type { Converter } from '../convert/converter.ts'
import { safeInt64 } from '../convert/safe-int64.ts'
import { ModelError } from '../errors/model-error.ts'
import { KeyCodec, partsIn } from '../keys/key-codec.ts'
import { hasDefault } from '../place/place.ts'
import { formOf } from '../place/value-form.ts'
import { checkColumnRules } from '../schema/check-column-rules.ts'
import { checkStorable } from '../schema/check-storable.ts'
import type { ColumnFit, ColumnRules, SecretName, WithSecrets } from '../schema/column-rule.ts'
import type { EntitySchema } from '../schema/entity-schema.ts'
import { type Drift, type ReadRule, toSchemaRule } from '../schema/schema-rule.ts'
import { storageOf } from '../schema/storage-of.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type {
  SchemaGiven,
  SchemaOutput,
  StandardSchema,
} from '../standard-schema/standard-schema.ts'
import { completeModel } from './complete-model.ts'
import type { NotInferred } from './entity-class.ts'
import type { Column, EntityModel } from './entity-model.ts'
import type { KeyFit } from './key-fit.ts'
import type { TypeMark } from './marks-of.ts'
import { type ModelOptions, modelRules } from './model-options.ts'
import type { Lifetime } from './row-lifetime.ts'
import type { TimeOptions } from './row-times.ts'
import { toModel } from './to-model.ts'
import type { VersionOptions } from './version-options.ts'

/** The options of {@link defineEntity}. */
export interface EntityDefinition<
  Schema extends StandardSchema<unknown, object>,
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  ETagName extends string,
  TimestampName extends string,
  Columns extends object,
  Earlier extends object = object,
> extends VersionOptions<Earlier>,
    TimeOptions<keyof SchemaOutput<Schema> & string> {
  /** The table's name, also used in messages: 3 to 63 letters and digits, a letter first. */
  readonly name: string
  /** The template of the PartitionKey. */
  readonly partitionKey: KeyCodec<PartitionKeyValues> & KeyFit<PartitionKeyValues, Schema>
  /** The template of the RowKey. */
  readonly rowKey: KeyCodec<RowKeyValues> & KeyFit<RowKeyValues, Schema>
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
   * @defaultValue `'strict'`, which throws a `DecodeError` with the code `SchemaMismatch`
   */
  readonly read?: ReadRule
  /** Receives each of these entities when `read` is `'report'`. */
  readonly onDrift?: (drift: Drift) => void
  /**
   * Distinguishes the rows of the model from other rows of the table: one stored property, and its text,
   * such as `{ EntityType: 'Order' }`. Rows without it are rejected, and queries filter by it.
   */
  readonly discriminator?: TypeMark
  /**
   * Permits a PartitionKey that is only a time, rising or falling.
   *
   * @defaultValue `false`
   */
  readonly allowHotPartition?: boolean | undefined
  /** Hides entities that have expired or are deleted softly: see {@link lifetime}. */
  readonly lifetime?: Lifetime<keyof SchemaOutput<Schema> & string>
  /**
   * Converts an entity of the previous version when it is read: see {@link VersionOptions}.
   *
   * @param earlier - the entity as the previous version reads it
   */
  // A member, because compilers work out the arguments of a base type for every definition.
  migrate?(earlier: Earlier): NotInferred<DefinedInput<Schema, ETagName, TimestampName>> & object
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
  SchemaGiven<Schema> & { [Name in ETagName]?: string } & { [Name in TimestampName]?: Date }
>

const text = rule('text', (value) => typeof value === 'string')
const definitionOptions = declareOptions<SchemaModelParts>({
  ...modelRules,
  name: required(text),
  etag: text,
  timestamp: text,
  storeAs: anything,
  columns: anything,
})

/**
 * Describes entities by a schema of zod 4, valibot 1 or arktype 2, without a class. Tables read and write
 * plain objects, and every type follows from the schema.
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
 * @throws InputError (`UnknownOption` or `InvalidOptionValue`) for a misspelled option, and a name that is not text
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
  >,
): EntityModel<
  DefinedEntity<Schema, ETagName, TimestampName, Columns>,
  DefinedInput<Schema, ETagName, TimestampName>,
  Shown<PartitionKeyValues & RowKeyValues>,
  Shown<PartitionKeyValues>
> {
  definitionOptions.check(definition, 'defineEntity')
  // The types follow from the schema, which the compiler cannot check.
  return schemaModel(definition) as EntityModel<never, never, never, never> as ReturnType<
    typeof defineEntity<Schema, PartitionKeyValues, RowKeyValues, ETagName, TimestampName, Columns>
  >
}

/** The parts of a model without a class. */
interface SchemaModelParts extends ModelOptions, ColumnOptions {
  readonly name: string
  readonly partitionKey: KeyCodec
  readonly rowKey: KeyCodec
  readonly schema: StandardSchema
  readonly etag?: string | undefined
  readonly timestamp?: string | undefined
}

/**
 * Makes the model of entities that a schema describes.
 *
 * @throws {@link ModelError} when the model is invalid
 */
function schemaModel(parts: SchemaModelParts): EntityModel<object> {
  const { name: title, partitionKey, rowKey, etag, timestamp, signing } = parts
  const schemaRule = toSchemaRule(title, parts.schema, parts)
  const { schema } = schemaRule
  checkKeys(parts, schema)
  const inKeys = new Set(partsIn(parts).map(({ property }) => property))
  checkColumnRules(parts.columns ?? {}, { title, properties: schema.properties, inKeys })
  checkStoredNames(schema, inKeys, parts.storeAs)
  const create = () => schema.create()
  const previous = parts.previous && toModel(parts.previous)
  const model = {
    name: title,
    title,
    class: undefined,
    create,
    partitionKey,
    rowKey,
    etag,
    timestamp,
    columns: Object.freeze(schemaColumns(schema, inKeys, parts)),
    ignored: Object.freeze([]),
    computed: Object.freeze([]),
    signing,
    schema: schemaRule,
    kept: {},
  }
  return completeModel(model, { ...parts, previous }, create())
}

function checkKeys({ name, partitionKey, rowKey }: SchemaModelParts, schema: EntitySchema): void {
  for (const [half, codec] of Object.entries({ partitionKey, rowKey })) {
    if (!(codec instanceof KeyCodec)) {
      const problem = `The ${half} must be a key template, such as key\`\${'id'}\`.`
      throw new ModelError({ className: name, problem })
    }
    const property = codec.properties.find((each) => !schema.properties.has(each))
    if (property === undefined) continue
    const problem = `It is a part of the ${half}, but missing in the schema. Add it to the schema.`
    throw new ModelError({ className: name, property, problem })
  }
}

/** The options of columns in addition to their schema. */
interface ColumnOptions {
  /** The stored names of properties that are stored under another name. */
  readonly storeAs?: Readonly<Record<string, string | undefined>> | undefined
  /** The rules of some properties. */
  readonly columns?: ColumnRules | undefined
}

/**
 * Makes the columns of a schema's properties, except those that are only in the keys.
 *
 * @param options - stored names and rules
 * @throws {@link ModelError} for a property that no Edm type stores, or that every object has
 */
export function schemaColumns(
  { title, properties }: EntitySchema,
  inKeys: ReadonlySet<string>,
  { storeAs = {}, columns: rules = {} }: ColumnOptions,
): readonly Column[] {
  const columns: Column[] = []
  for (const [property, place] of properties) {
    if (property in Object.prototype) throw inherited(title, property)
    const { encryption, plain, chunkType, series, ...rule } = rules[property] ?? {}
    if (series !== undefined) {
      const name = storeAs[property] ?? property
      columns.push(Object.freeze({ property, name, type: series.type, plain, series }))
      continue
    }
    const inKey = inKeys.has(property)
    const own =
      rule.type === 'Int64' ? (safeInt64 as Converter<unknown> as Converter) : rule.converter
    checkStorable(title, property, place, own)
    const { converter, steps } = inKey ? {} : storageOf(place, undefined, own)
    const type = converter?.type ?? formOf(place).type
    if (type === undefined) throw unstorable(title, property)
    if (inKey) continue
    const name = storeAs[property] ?? property
    const form = {
      ...(converter && { converter }),
      ...(steps && { steps }),
      ...(chunkType && { chunked: true }),
      ...(hasDefault(place) && { hasDefault: true }),
    }
    columns.push(Object.freeze({ property, name, type, encryption, plain, ...form }))
  }
  return columns
}

function unstorable(className: string, property: string): ModelError {
  return new ModelError({
    className,
    property,
    problem:
      'No Edm type stores the values of its schema. Use a string, a number, a bigint, a boolean, ' +
      'a Date, bytes, a codec, or a union of one of these; arrays and objects are stored as JSON, but not ' +
      'in a key. Use converted() in columns for any other value.',
  })
}

/** Rejects a stored name of a misspelled property, which would be stored under its own name. */
function checkStoredNames(
  { title, properties }: EntitySchema,
  inKeys: ReadonlySet<string>,
  storeAs: object = {},
): void {
  for (const property of Object.keys(storeAs)) {
    if (properties.has(property) && !inKeys.has(property)) continue
    const problem = inKeys.has(property)
      ? 'storeAs has a name for it, but it is a part of the key, which is stored as PartitionKey and RowKey. Remove it from storeAs.'
      : 'storeAs has a name for it, but it is missing in the schema. Correct it, or add it to the schema.'
    throw new ModelError({ className: title, property, problem })
  }
}

/** Rejects a name of Object.prototype, because every object seems to have that property. */
function inherited(className: string, property: string): ModelError {
  return new ModelError({
    className,
    property,
    problem: `Every JavaScript object has a member of that name. Rename the property, and store it as '${property}' with storeAs.`,
  })
}
