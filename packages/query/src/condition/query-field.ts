import type { Condition } from './condition.ts'
import type { Operand } from './operand.ts'

/** A property of any Edm type in a callback of `.where`. */
export interface ComparableField<Value> {
  /** Equal: `c.age.eq(30)` is `age eq 30`. */
  eq(value: Operand<Value>): Condition
  /** Stored, and not equal: `c.age.ne(30)` is `age ne 30`, which an entity without `age` does not match. */
  ne(value: Operand<Value>): Condition
  /** Greater: `c.age.gt(30)` is `age gt 30`. */
  gt(value: Operand<Value>): Condition
  /** Greater or equal: `c.age.ge(30)` is `age ge 30`. */
  ge(value: Operand<Value>): Condition
  /** Less: `c.age.lt(30)` is `age lt 30`. */
  lt(value: Operand<Value>): Condition
  /** Less or equal: `c.age.le(30)` is `age le 30`. */
  le(value: Operand<Value>): Condition
  /** From `low` to `high`, both included: `c.age.between(18, 65)` is `age ge 18 and age le 65`. */
  between(low: Operand<Value>, high: Operand<Value>): Condition
}

/** A String or Guid property in a callback of `.where`. */
export interface StringField<Value extends string = string> extends ComparableField<Value> {
  /**
   * Begins with a prefix: `c.name.startsWith('Sm')` is `name ge 'Sm' and name lt 'Sn'`. Strings only;
   * capitals count.
   */
  startsWith(prefix: string): Condition
}

/** A Boolean property in a callback of `.where`: a condition by itself. */
export interface BooleanField extends ComparableField<boolean>, Condition {}

/** A property of which the compiler does not know the type: everything is offered. */
export interface AnyField<Value> extends ComparableField<Value>, Condition {
  /** Begins with a prefix: `c.name.startsWith('Sm')` is `name ge 'Sm' and name lt 'Sn'`. */
  startsWith(prefix: string): Condition
}

/**
 * What can be asked about a property, by the type of its value.
 *
 * @example
 * ```ts
 * type A = QueryField<number>  // ComparableField<number>
 * type B = QueryField<boolean> // BooleanField
 * ```
 */
export type QueryField<Value> = 0 extends 1 & Value // only `any` lies between 0 and 1
  ? AnyField<Value>
  : [Value] extends [boolean]
    ? BooleanField
    : [Value] extends [string]
      ? StringField<Value>
      : [Value] extends [number] | [bigint] | [Date] | [Uint8Array]
        ? ComparableField<Value>
        : AnyField<Value>

/** Every property of a shape as a {@link QueryField}: what a callback of `.where` receives. */
export type QueryFields<Shape> = { readonly [Name in keyof Shape]: QueryField<Shape[Name]> }
