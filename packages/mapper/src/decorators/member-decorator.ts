import type { MemberRule } from '../model/member-rule.ts'
import { recordMember } from '../model/record-member.ts'

/**
 * A decorator for a member whose type fits `Value`. The same decorator serves classes compiled with
 * standard decorators and with `experimentalDecorators`; on a member of another type it does not
 * compile, in either.
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
  /** The type of the members that it fits. It exists for the compiler only. */
  readonly '~fits'?: (value: Value) => void
}

/** A decorator for a member of any type; in legacy mode also for a private or protected one. */
export interface AnyMemberDecorator extends MemberDecorator<unknown> {
  /** Legacy, whatever the member's visibility. */
  (prototype: object, member: string | symbol, descriptor?: PropertyDescriptor): void
}

/** A decorator that records one rule about the member it stands on, and does nothing else. */
export function memberDecorator(rule: MemberRule): AnyMemberDecorator {
  return (target: unknown, context: unknown) => recordMember(target, context, rule)
}
