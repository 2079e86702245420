import { recordMember } from '../model/class-record.ts'
import type { MemberDecoratorName, MemberRule } from '../model/member-rule.ts'

/**
 * The declared type of the member that a decorator is on. It comes from the context of a standard
 * decorator, or from the prototype and the name that a legacy decorator receives. Methods have the type
 * `never` here.
 *
 * @example
 * ```ts
 * type A = DecoratedType<undefined, ClassFieldDecoratorContext<Customer, bigint>> // bigint
 * type B = DecoratedType<Customer, 'points'>                                      // bigint | undefined
 * ```
 */
export type DecoratedType<Target, Member> = Member extends keyof Target
  ? Target[Member]
  : Member extends MappedContext
    ? Member extends ReadableMember<infer Value>
      ? Value
      : Member extends WritableMember<infer Value>
        ? Value
        : UnmappedMember
    : UnmappedMember

/** The context of a standard decorator on a member that is not a method. */
export interface MappedContext {
  /** The kind of the member. */
  readonly kind: 'field' | 'accessor' | 'getter' | 'setter'
}

/** The context of a standard decorator on a member with a value to read. */
export interface ReadableMember<Value> {
  /** Reads the member. */
  readonly access: {
    /** Returns the value in an object. */
    get(object: never): Value
  }
}

/** The context of a standard decorator on a setter. */
export interface WritableMember<Value> {
  /** Writes the member. */
  readonly access: {
    /** Assigns the value in an object. */
    set(object: never, value: Value): void
  }
}

/** The type that no member has: it marks methods, and members that a legacy decorator cannot see. */
export interface UnmappedMember {
  /** For the compiler only. */
  readonly '~unmapped': never
}

/**
 * What a decorator returns for a member: `undefined` when it fits, else a sentence in a tuple, which the compiler shows
 * because no decorator may return one.
 *
 * @example
 * ```ts
 * type A = FittingMember<Customer, 'points', bigint, 'must be a bigint'> // undefined
 * type B = FittingMember<Customer, 'name', bigint, 'must be a bigint'>   // ['must be a bigint']
 * ```
 */
export type FittingMember<Target, Member, Value, Problem extends string> = MemberOrProblem<
  DecoratedType<Target, Member>,
  Value,
  Problem
>

/**
 * The same as {@link FittingMember}, of the declared type of a member.
 *
 * @example
 * ```ts
 * type A = MemberOrProblem<bigint, bigint, 'must be a bigint'> // undefined
 * type B = MemberOrProblem<string, bigint, 'must be a bigint'> // ['must be a bigint']
 * ```
 */
export type MemberOrProblem<Declared, Value, Problem extends string> = [Declared] extends [never]
  ? undefined
  : [Declared] extends [UnmappedMember]
    ? [
        'Only public fields, accessors, getters and setters are mapped: move the decorator to one of them',
      ]
    : [Declared] extends [Value]
      ? undefined
      : [Problem]

/**
 * A decorator for a member of type `Value`. On a member of another type it does not compile, and the compiler shows
 * `Problem`. It works with standard decorators and with `experimentalDecorators`.
 */
export interface MemberDecorator<
  Value,
  Problem extends string = 'The decorator does not fit the type of the property',
> {
  /** A field that fits, with standard decorators. Most members are fields like this, and compilers infer nothing for them. */
  (target: undefined, context: ClassFieldDecoratorContext<never, Value>): void
  /** Standard: a value and a context. Legacy: the prototype and the member's name. */
  <Target, Member extends PropertyKey | object>(
    target: Target,
    member: Member,
    descriptor?: PropertyDescriptor,
  ): FittingMember<Target, Member, Value, Problem>
  /** The type of the members that it accepts. For the compiler only. */
  readonly '~fits'?: (value: Value) => void
}

/** A decorator for a member of any type. In legacy mode the member may be private or protected. */
export interface AnyMemberDecorator {
  /** Standard: a value and a context. Legacy: the prototype and the member's name. */
  (target: unknown, member: PropertyKey | AnyMemberContext, descriptor?: PropertyDescriptor): void
  /** The type of the members that it accepts. For the compiler only. */
  readonly '~fits'?: (value: unknown) => void
}

/** The context of a standard decorator on a member that is not a method. */
export type AnyMemberContext =
  | ClassFieldDecoratorContext
  | ClassAccessorDecoratorContext
  | ClassGetterDecoratorContext
  | ClassSetterDecoratorContext

/** Makes a decorator that only records one rule about its member. */
export function memberDecorator(
  name: MemberDecoratorName,
  rule: Omit<MemberRule, 'decorators'> = {},
): (target: unknown, context: unknown) => never {
  // It returns nothing. The sentences that types give as its result are for the compiler.
  return (target, context) =>
    recordMember(target, context, { decorators: [name], ...rule }) as never
}
