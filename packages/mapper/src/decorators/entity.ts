import { anything, declareOptions, invalidOption, trueOrFalse } from '@rowkey/odata'
import { checkConverters, type RegisteredConverter } from '../convert/registered-converter.ts'
import { ModelError } from '../errors/model-error.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import { type EntityRule, recordIn, recordOf } from '../model/class-record.ts'
import type { EntityClass } from '../model/entity-class.ts'
import type { MemberEntity, UnionMember } from '../model/entity-of.ts'
import type { FittingClass, NewableClass } from '../model/key-fit.ts'
import type { TypeMark } from '../model/marks-of.ts'
import { modelRules } from '../model/model-options.ts'
import type { Lifetime } from '../model/row-lifetime.ts'
import type { TimeOptions } from '../model/row-times.ts'
import type { VersionOptions } from '../model/version-options.ts'
import { toPlain } from '../plain/to-plain.ts'
import type { Drift, ReadRule } from '../schema/schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'

const entityOptions = declareOptions<EntityRule>({
  ...modelRules,
  create: anything,
  converters: anything,
  strict: trueOrFalse,
})

/**
 * Options of `@Entity` for a class whose constructor works without arguments.
 *
 * @typeParam Following - returns the class or model of the next version
 */
export interface EntityOptions<
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  Shape extends object = object,
  Earlier extends object = object,
  Following extends () => UnionMember = () => UnionMember,
> extends VersionOptions<
      Earlier,
      object,
      Following,
      (later: MemberEntity<ReturnType<Following>>) => object
    >,
    TimeOptions {
  /** The table's name. Without it, pass the name to `account.table(Class, name)`. */
  readonly name?: string
  /** The template of the PartitionKey, from {@link key}. Without it, put `@PartitionKey()` on a member. */
  readonly partitionKey?: KeyCodec<PartitionKeyValues>
  /** The template of the RowKey, from {@link key}. Without it, put `@RowKey()` on a member. */
  readonly rowKey?: KeyCodec<RowKeyValues>
  /**
   * The keys that sign entities, from {@link signingKeys}. A read rejects an entity that was altered.
   * Subclasses inherit them.
   */
  readonly signing?: SigningKeys
  /**
   * Converters of classes of values, such as `[[Decimal, decimal]]`. They apply to members that hold an instance
   * of the class in a fresh entity, and to members declared with the class where the compiler records it
   * (`emitDecoratorMetadata`). Put {@link Convert} on other members. Subclasses inherit them.
   */
  readonly converters?: readonly RegisteredConverter[]
  /**
   * An object schema of zod 4, valibot 1 or arktype 2, such as `z.object({ … })`. It checks entities before they
   * are written; a merge checks what it sends, and the whole if it knows the row. The properties of the schema are stored.
   */
  readonly schema?: StandardSchema<unknown, Shape>
  /**
   * How entities are read that the schema rejects.
   *
   * @defaultValue `'strict'`, which throws a `DecodeError` with the code `SchemaMismatch`
   */
  readonly read?: ReadRule
  /** Receives each of these entities when `read` is `'report'`. */
  readonly onDrift?: (drift: Drift) => void
  /**
   * Tells the rows of the class from other rows of the table: one stored property, and its text. Rows
   * without it are rejected, and every query has it as a condition. Subclasses inherit it.
   *
   * @example
   * ```ts
   * @Entity({ name: 'store', discriminator: { EntityType: 'Order' } })
   * ```
   */
  readonly discriminator?: TypeMark
  /**
   * Hides entities that have expired or are deleted softly: see {@link lifetime}. Subclasses inherit it.
   *
   * @example
   * ```ts
   * @Entity({ name: 'sessions', lifetime: lifetime({ expiresAt: 'expiresOn' }) })
   * ```
   */
  readonly lifetime?: Lifetime
  /**
   * Permits a PartitionKey that is only a time, rising or falling. All writes of a moment then meet one partition.
   *
   * @defaultValue `false`
   */
  readonly allowHotPartition?: boolean
  /**
   * Whether each member must have a known stored type. Without it, the value decides where nothing declares the type: 5 is an Int32,
   * 5.5 a Double. Subclasses inherit it.
   *
   * @defaultValue `false`
   */
  readonly strict?: boolean
}

/**
 * Options of `@Entity` for a class whose constructor needs arguments.
 *
 * @typeParam Following - returns the class or model of the next version
 */
export interface CreatedEntityOptions<
  Instance extends object,
  PartitionKeyValues extends object,
  RowKeyValues extends object,
  Shape extends object = object,
  Earlier extends object = object,
  Following extends () => UnionMember = () => UnionMember,
> extends EntityOptions<PartitionKeyValues, RowKeyValues, Shape, Earlier, Following> {
  /** Makes a fresh instance that an entity is read into. It must not depend on the entity. */
  readonly create: () => Instance
}

/**
 * Maps a class to a table's entities.
 *
 * A read calls `new Class()` and then assigns the stored values, so the constructor must work without
 * arguments; give `create` where it cannot. A subclass inherits the table's name, but not `create`. Decorators
 * on the members say what is stored: see {@link PartitionKey}, {@link RowKey} and {@link Property}.
 *
 * `JSON.stringify` shows an entity as {@link toPlain} does, unless its class has a `toJSON`.
 *
 * @param name - the table's name: 3 to 63 letters and digits, a letter first
 * @throws {@link ModelError} for a second `@Entity` on the same class
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
): <Class>(value: NewableClass<Class>, context?: ClassDecoratorContext) => void
/**
 * Maps a class whose constructor needs arguments to a table's entities.
 *
 * @param options - the table's name, its keys, and how to make a fresh instance
 * @typeParam Following - returns the class or model of the next version
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
  Following extends () => UnionMember = () => UnionMember,
>(
  options: CreatedEntityOptions<
    Instance,
    PartitionKeyValues,
    RowKeyValues,
    Shape,
    Earlier,
    Following
  >,
): <Class extends EntityClass<Instance>>(
  value: FittingClass<Class, PartitionKeyValues & RowKeyValues, Shape>,
  context?: ClassDecoratorContext,
) => void
/**
 * Maps a class whose keys are made of its properties to a table's entities.
 *
 * A property that is a part of a key is stored only in the key, and read back from it. Put `@Property()` on it
 * to store it as a property too; a part that the key only hashes needs this.
 *
 * @param options - the table's name, and its keys
 * @typeParam Following - returns the class or model of the next version
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
  Following extends () => UnionMember = () => UnionMember,
>(
  options: EntityOptions<PartitionKeyValues, RowKeyValues, Shape, Earlier, Following>,
): <Class>(
  value: NewableClass<Class, FittingClass<Class, PartitionKeyValues & RowKeyValues, Shape>>,
  context?: ClassDecoratorContext,
) => void
export function Entity(
  given?: string | EntityOptions<object, object>,
  ...more: readonly unknown[]
): (value: never, context?: ClassDecoratorContext) => void {
  const isRule = given === undefined || typeof given === 'string' || Object(given) === given
  if (more.length > 0 || !isRule) {
    throw invalidOption(
      "@Entity has one argument: the table's name, or options. Write @Entity({ name: 'people', … }).",
    )
  }
  const rule = typeof given === 'string' ? { name: given } : { ...given }
  entityOptions.check(rule, '@Entity')
  return (value: EntityClass<object>, context) => {
    checkConverters(value.name, rule.converters)
    // The class gets its metadata object after this decorator has run; the context has it now.
    const record = context?.metadata ? recordIn(context.metadata) : recordOf(value)
    if (record.entity !== undefined) {
      const problem = '@Entity is on the class twice. Keep one, with all options.'
      throw new ModelError({ className: value.name, problem })
    }
    record.entity = rule
    showAsJson(value.prototype)
  }
}

/** Lets `JSON.stringify` show each value of an entity: it throws for a bigint, and takes bytes apart. */
function showAsJson(prototype: object): void {
  if ('toJSON' in prototype) return
  Object.defineProperty(prototype, 'toJSON', {
    configurable: true,
    writable: true,
    value(this: object) {
      return toPlain(this)
    },
  })
}
