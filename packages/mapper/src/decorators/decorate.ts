import { ModelError } from '../errors/model-error.ts'
import type { EntityClass, NotInferred } from '../model/entity-class.ts'

/** A decorator for a member of type `Value`, such as `Property('Int64')`, as {@link decorate} takes it. */
export interface MemberDecoration<Value> {
  (prototype: never, member: never): void
  /** The type of the members that it accepts. For the compiler only. */
  readonly '~fits'?: (value: Value) => void
}

/** The decorators of a class's members by member name: one decorator, or several in an array. */
export type MemberDecorations<Instance> = {
  readonly [Name in keyof Instance & string]?:
    | MemberDecoration<Instance[Name]>
    | readonly MemberDecoration<Instance[Name]>[]
}

/**
 * Decorates a class without decorator syntax: in plain JavaScript, under Node's type stripping, and with
 * compilers that leave decorators as they are. The result is the same as with the syntax.
 *
 * @param entityClass - the class
 * @param entity - the decorator of the class: {@link Entity}
 * @param members - the decorators of each member
 * @throws {@link ModelError} when something other than a decorator is given
 *
 * @example
 * ```ts
 * class Customer {
 *   lastName!: string
 *   firstName!: string
 *   points?: bigint
 * }
 * decorate(Customer, Entity('people'), {
 *   lastName: PartitionKey(),
 *   firstName: RowKey(),
 *   points: [Property('Int64'), StoreAs('p')],
 * })
 * ```
 */
export function decorate<Class extends EntityClass<object>>(
  entityClass: Class,
  entity: (value: NotInferred<Class>) => void,
  members: MemberDecorations<InstanceType<Class>>,
): void
/**
 * Decorates the members of a base class, which has no table of its own.
 *
 * @param entityClass - the class
 * @param members - the decorators of each member
 * @throws {@link ModelError} when something other than a decorator is given
 */
export function decorate<Instance extends object>(
  entityClass: EntityClass<Instance>,
  members: MemberDecorations<NotInferred<Instance>>,
): void
export function decorate(
  entityClass: EntityClass<object>,
  ...[entity, members]: readonly unknown[]
): void {
  const given = typeof entity === 'function' ? members : entity
  for (const [name, decorators] of Object.entries(Object(given))) {
    for (const decorator of Array.isArray(decorators) ? decorators : [decorators]) {
      checkDecorator(decorator, entityClass.name, name)
      decorator(entityClass.prototype, name)
    }
  }
  // As compilers do: members first, then the class.
  if (typeof entity === 'function') entity(entityClass)
}

type Decorator = (prototype: object, member: string) => void

function checkDecorator(
  given: unknown,
  className: string,
  property: string,
): asserts given is Decorator {
  if (typeof given === 'function') return
  throw new ModelError({
    className,
    property,
    problem: `decorate() takes decorators, such as Property('Int64'); got ${given === null ? 'null' : `a value of type ${typeof given}`}.`,
  })
}
