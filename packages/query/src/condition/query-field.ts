import type { IsSecret } from '../secret.ts'
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
  /** One of some values, one at least: `c.age.in([18, 21])` is `age eq 18 or age eq 21`. */
  in(values: readonly Operand<Value>[]): Condition
}

/** A String or Guid property in a callback of `.where`. */
export interface StringField<Value extends string = string> extends ComparableField<Value> {
  /**
   * Begins with a prefix: `c.name.startsWith('Sm')` is `name ge 'Sm' and name lt 'Sn'`. Strings only,
   * and no Guids; capitals count.
   */
  startsWith(prefix: string): Condition
}

/**
 * A Boolean property in a callback of `.where`: a condition by itself, as in `c.active` and
 * `c.active.not()`. Mind that an entity without it matches the `not`, and no comparison.
 */
export interface BooleanField extends Condition {
  /** Stored, and so: `c.active.eq(false)` is `active eq false`. */
  eq(value: boolean): Condition
  /** Stored, and otherwise: `c.active.ne(true)` is `active ne true`. */
  ne(value: boolean): Condition
}

/** A property of which the compiler does not know the type: everything is offered. */
export interface AnyField<Value> extends ComparableField<Value>, Condition {
  /** Begins with a prefix: `c.name.startsWith('Sm')` is `name ge 'Sm' and name lt 'Sn'`. */
  startsWith(prefix: string): Condition
}

/**
 * A {@link Secret} property, of which nothing can be asked: the service has its encrypted bytes only,
 * and they differ each time. Read the entities, and compare there.
 */
export interface SecretField {
  /** Never there at run time: asking for the property throws {@link QueryError}. */
  readonly cannotBeFiltered: 'it is encrypted'
}

/**
 * What can be asked about a property, by the type of its value.
 *
 * @example
 * ```ts
 * type A = QueryField<number>  // ComparableField<number>
 * type B = QueryField<boolean> // BooleanField
 * type C = QueryField<Secret<number>> // SecretField
 * ```
 */
export type QueryField<Value> = 0 extends 1 & Value // only `any` lies between 0 and 1
  ? AnyField<Value>
  : IsSecret<Value> extends true
    ? SecretField
    : ComparedField<Value>

/**
 * What can be asked about a property that can be compared, by the type of its value.
 *
 * @example
 * ```ts
 * type A = ComparedField<string> // StringField
 * ```
 */
export type ComparedField<Value> = [Value] extends [boolean]
  ? BooleanField
  : [Value] extends [string]
    ? StringField<Value>
    : [Value] extends [number] | [bigint] | [Date] | [Uint8Array]
      ? ComparableField<Value>
      : AnyField<Value>

/** Every property of a shape as a {@link QueryField}: what a callback of `.where` receives. */
export type QueryFields<Shape> = { readonly [Name in keyof Shape]: QueryField<Shape[Name]> }
