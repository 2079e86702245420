import { checkOptions } from '@rowkey/rest'
import { checkConverters } from '../convert/check-converters.ts'
import type { RegisteredConverter } from '../convert/registered-converter.ts'
import { ModelError } from '../errors/model-error.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import { recordIn, recordOf } from '../model/class-record.ts'
import type { EntityClass } from '../model/entity-class.ts'
import type { TypeMark } from '../model/to-discriminator.ts'
import { VERSION_OPTION_NAMES, type VersionOptions } from '../model/version-options.ts'
import type { Drift, ReadRule } from '../schema/schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'

const OPTION_NAMES = [
  'name',
  'create',
  'partitionKey',
  'rowKey',
  'signing',
  'converters',
  'schema',
  'read',
  'onDrift',
  'discriminator',
  ...VERSION_OPTION_NAMES,
] as const

/** What `@Entity` takes for a class whose constructor needs no arguments. */
export interface EntityOptions<
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  Shape extends object = object,
  Earlier extends object = object,
> extends VersionOptions<Earlier> {
  /** The table's name; without one, give it to `account.table(Class, name)`. */
  readonly name?: string
  /** How properties make the PartitionKey, from {@link key}; without it, put `@PartitionKey()` on one. */
  readonly partitionKey?: KeyCodec<PartitionKeyValues>
  /** How properties make the RowKey, from {@link key}; without it, put `@RowKey()` on one. */
  readonly rowKey?: KeyCodec<RowKeyValues>
  /**
   * What to sign entities with, from {@link signingKeys}: an entity of which anything was altered is
   * refused when it is read. Subclasses inherit it.
   */
  readonly signing?: SigningKeys
  /**
   * Converters of whole classes of values, such as `[[Decimal, decimal]]`: for members that hold an
   * instance of one when they are fresh, and for those declared so where the compiler records that
   * (`emitDecoratorMetadata`). Say {@link Convert} on any other. Subclasses inherit them.
   */
  readonly converters?: readonly RegisteredConverter[]
  /**
   * An object schema of zod 4, valibot 1 or arktype 2, such as `z.object({ … })`. Entities are checked before
   * they are written: a whole one as a whole, and of a merge what it sends. The properties that it names are
   * stored.
   */
  readonly schema?: StandardSchema<unknown, Shape>
  /**
   * What is done with a stored entity that the schema refuses.
   *
   * @defaultValue `'strict'`, which throws a {@link SchemaError}
   */
  readonly read?: ReadRule
  /** Is told of each such entity, when `read` is `'report'`. */
  readonly onDrift?: (drift: Drift) => void
  /**
   * Marks every row of the class among those of other types in the table: one stored property, and the
   * text that it holds. Rows without it are refused, and queries ask for it. Subclasses inherit it.
   *
   * @example
   * ```ts
   * @Entity({ name: 'store', discriminator: { EntityType: 'Order' } })
   * ```
   */
  readonly discriminator?: TypeMark
}

/** What `@Entity` takes for a class whose constructor needs arguments. */
export interface CreatedEntityOptions<
  Instance extends object,
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  Shape extends object = object,
  Earlier extends object = object,
> extends EntityOptions<PartitionKeyValues, RowKeyValues, Shape, Earlier> {
  /** Makes a fresh instance to read an entity into. It must not depend on the entity. */
  readonly create: () => Instance
}

/**
 * Maps a class to a table's entities.
 *
 * Reading makes an instance with `new Class()` and then assigns what is stored, so a constructor
 * must work without arguments; when it cannot, give `create`. A subclass inherits the table's
 * name, but not `create`. What the class stores is said on its members: see {@link PartitionKey},
 * {@link RowKey} and {@link Property}.
 *
 * @param name - the table's name: 3 to 63 letters and digits, a letter first
 *
 * @example
 * ```ts
 * @Entity('people')
 * class Customer {
 *   @PartitionKey() lastName!: string
 *   @RowKey() firstName!: string
 *   @StoreAs('cea') email?: string
 *   @Property('Int64') points?: bigint
 * }
 * ```
 */
export function Entity(
  name?: string,
): (value: new () => object, context?: ClassDecoratorContext) => void
/**
 * Maps a class whose constructor needs arguments to a table's entities.
 *
 * @param options - the table's name, its keys, and how to make a fresh instance
 *
 * @example
 * ```ts
 * @Entity({ name: 'people', create: () => new Customer('', '') })
 * class Customer {
 *   constructor(lastName: string, firstName: string) { … }
 * }
 * ```
 */
export function Entity<
  Instance extends object,
  PartitionKeyValues extends object = object,
  RowKeyValues extends object = object,
  Shape extends object = object,
  Earlier extends object = object,
>(
  options: CreatedEntityOptions<Instance, PartitionKeyValues, RowKeyValues, Shape, Earlier>,
): (
  value: EntityClass<Instance & PartitionKeyValues & RowKeyValues & Shape>,
  context?: ClassDecoratorContext,
) => void
/**
 * Maps a class whose keys are made of its properties to a table's entities.
 *
 * A property that is a part of a key is stored in the key alone, and read back from it; say
 * `@Property()` on it to store it once more, as a property of its own. A part that is only hashed
 * must be stored so.
 *
 * @param options - the table's name, and its keys
 *
 * @example
 * ```ts
 * @Entity({ name: 'people', partitionKey: key`${'state'};${'city'}`, rowKey: key`${'id:8'}` })
 * class Person {
 *   state = ''
 *   city = ''
 *   id = 0
 *   @Property() phone?: string
 * }
 * ```
 */
export function Entity<
  PartitionKeyValues extends object = object,
  RowKeyValues extends object = object,
  Shape extends object = object,
  Earlier extends object = object,
>(
  options: EntityOptions<PartitionKeyValues, RowKeyValues, Shape, Earlier>,
): (
  value: new () => PartitionKeyValues & RowKeyValues & Shape,
  context?: ClassDecoratorContext,
) => void
export function Entity(
  given?: string | EntityOptions<object, object>,
): (value: EntityClass<object>, context?: ClassDecoratorContext) => void {
  const rule = typeof given === 'string' ? { name: given } : { ...given }
  checkOptions(rule, OPTION_NAMES, '@Entity')
  return (value, context) => {
    checkConverters(value.name, rule.converters)
    // The class gets its metadata object only after this decorator has run: the context has it now.
    const record = context?.metadata ? recordIn(context.metadata) : recordOf(value)
    if (record.entity !== undefined) {
      const problem = '@Entity stands on the class twice. Keep one, with all options.'
      throw new ModelError({ className: value.name, problem })
    }
    record.entity = rule
  }
}
