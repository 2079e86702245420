import { describeKind } from '@rowkey/odata'
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
 * @throws {@link ModelError} when an argument is not a decorator
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
 * @throws {@link ModelError} when an argument is not a decorator
 */
export function decorate<Instance extends object>(
  entityClass: EntityClass<Instance>,
  members: MemberDecorations<NotInferred<Instance>>,
): void
export function decorate(
  entityClass: EntityClass<object>,
  ...[entity, members]: readonly unknown[]
): void {
  if (typeof entityClass !== 'function') throw notAClass(entityClass)
  const given = typeof entity === 'function' ? members : entity
  for (const [name, decorators] of Object.entries(Object(given))) {
    for (const decorator of Array.isArray(decorators) ? decorators : [decorators]) {
      checkDecorator(decorator, entityClass.name, name)
      checkCalled(decorator(entityClass.prototype, name), entityClass.name, name)
    }
  }
  // As compilers do: members first, then the class.
  if (typeof entity === 'function') checkCalled(entity(entityClass), entityClass.name)
}

type Decorator = (prototype: object, member: string) => unknown

function notAClass(given: unknown): ModelError {
  const problem = `The first argument of decorate() must be a class, not ${describeKind(given)}. Write decorate(Customer, Entity('people'), { … }).`
  return new ModelError({ className: '', problem })
}

/** Rejects `PartitionKey` in place of `PartitionKey()`: the first makes a decorator and records nothing. */
function checkCalled(result: unknown, className: string, property?: string): void {
  if (typeof result !== 'function') return
  const problem =
    "decorate() received a decorator without a call. Add parentheses, such as Entity('people') or PartitionKey()."
  throw new ModelError({ className, ...(property !== undefined && { property }), problem })
}

function checkDecorator(
  given: unknown,
  className: string,
  property: string,
): asserts given is Decorator {
  if (typeof given === 'function') return
  throw new ModelError({
    className,
    property,
    problem: `decorate() takes decorators, such as Property('Int64'); got ${describeKind(given)}.`,
  })
}
