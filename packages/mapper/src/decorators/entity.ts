import { recordIn, recordOf } from '../metadata/class-record.ts'
import type { EntityClass } from '../metadata/entity-class.ts'

/** What `@Entity` takes for a class whose constructor needs arguments. */
export interface EntityOptions<Entity extends object> {
  /** The table's name; without one, give it to `account.table(Class, name)`. */
  readonly name?: string
  /** Makes a fresh instance to read an entity into. It must not depend on the entity. */
  readonly create: () => Entity
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
 * @param options - the table's name, and how to make a fresh instance
 *
 * @example
 * ```ts
 * @Entity({ name: 'people', create: () => new Customer('', '') })
 * class Customer {
 *   constructor(lastName: string, firstName: string) { … }
 * }
 * ```
 */
export function Entity<Instance extends object>(
  options: EntityOptions<Instance>,
): (value: EntityClass<Instance>, context?: ClassDecoratorContext) => void
export function Entity(
  given?: string | EntityOptions<object>,
): (value: EntityClass<object>, context?: ClassDecoratorContext) => void {
  const rule = typeof given === 'string' ? { name: given } : { ...given }
  return (value, context) => {
    // The class gets its metadata object only after this decorator has run: the context has it now.
    const record = context?.metadata ? recordIn(context.metadata) : recordOf(value)
    record.entity = rule
  }
}
