import type { MemberRule } from '../model/member-rule.ts'
import { recordMember } from '../model/record-member.ts'

/**
 * A decorator for a member of type `Value`. On a member of another type it does not compile. It works with
 * standard decorators and with `experimentalDecorators`.
 */
export interface MemberDecorator<Value> {
  /** Standard, on a field. */
  (value: undefined, context: ClassFieldDecoratorContext<unknown, Value>): void
  /** Standard, on an `accessor` field. */
  (
    value: ClassAccessorDecoratorTarget<never, Value>,
    context: ClassAccessorDecoratorContext<unknown, Value>,
  ): void
  /** Standard, on a getter. */
  (value: (this: never) => Value, context: ClassGetterDecoratorContext<unknown, Value>): void
  /** Standard, on a setter. */
  (
    value: (this: never, value: never) => void,
    context: ClassSetterDecoratorContext<unknown, Value>,
  ): void
  /** Legacy, on any of them. */
  <Member extends string, Prototype extends { [Name in Member]?: Value }>(
    prototype: Prototype,
    member: Member,
    descriptor?: PropertyDescriptor,
  ): void
  /** The type of the members that it accepts. For the compiler only. */
  readonly '~fits'?: (value: Value) => void
}

/** A decorator for a member of any type. In legacy mode the member may be private or protected. */
export interface AnyMemberDecorator extends MemberDecorator<unknown> {
  /** Legacy, on a member of any visibility. */
  (prototype: object, member: string | symbol, descriptor?: PropertyDescriptor): void
}

/** Makes a decorator that only records one rule about its member. */
export function memberDecorator(rule: MemberRule): AnyMemberDecorator {
  return (target: unknown, context: unknown) => recordMember(target, context, rule)
}
