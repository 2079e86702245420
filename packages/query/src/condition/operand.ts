import type { EdmValue, EntityProperty } from '@rowkey/odata'

/**
 * What a property may be compared with: a value of its own type. Any `Date` goes with a `DateTimeValue`,
 * any bytes with a `Buffer`. Where nothing is declared, an `EntityProperty` says the type too.
 *
 * @example
 * ```ts
 * type A = Operand<'open' | 'closed'> // 'open' | 'closed'
 * type B = Operand<Buffer>            // Uint8Array
 * ```
 */
export type Operand<Value> = EdmValue extends Value
  ? EdmValue | EntityProperty
  : Value extends Date
    ? Date
    : Value extends Uint8Array
      ? Uint8Array
      : Value
