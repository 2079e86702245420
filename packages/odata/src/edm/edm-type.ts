/** The eight property types of the Table service, in alphabetical order. */
export const EDM_TYPES = [
  'Binary',
  'Boolean',
  'DateTime',
  'Double',
  'Guid',
  'Int32',
  'Int64',
  'String',
] as const

/** One of the eight property types of the Table service, without the `Edm.` in front. */
export type EdmType = (typeof EDM_TYPES)[number]

/** The JavaScript type that holds a value of each {@link EdmType}. */
export interface EdmValues {
  /** Up to 65,536 bytes; `Buffer` and views over shared buffers included. */
  Binary: Uint8Array
  /** `true` or `false`. */
  Boolean: boolean
  /** UTC, 1601-01-01 to 9999-12-31, in steps of 100 ns: see `DateTimeValue`. */
  DateTime: Date
  /** IEEE 754, with NaN and both infinities. */
  Double: number
  /** 32 hexadecimal digits in lower case, hyphenated 8-4-4-4-12. */
  Guid: string
  /** A whole number from -2^31 to 2^31 - 1. */
  Int32: number
  /** A whole number from -2^63 to 2^63 - 1. */
  Int64: bigint
  /** Up to 32,768 UTF-16 units; may be empty. */
  String: string
}

/** The JavaScript value of one {@link EdmType}, or of any of them. */
export type EdmValue<Type extends EdmType = EdmType> = EdmValues[Type]

const names: ReadonlySet<unknown> = new Set(EDM_TYPES)

/**
 * Tells whether a text names one of the eight types.
 *
 * @param text - anything; `Edm.` in front is not part of the name
 *
 * @example
 * ```ts
 * isEdmType('Int64') // true
 * isEdmType('Edm.Int64') // false
 * ```
 */
export function isEdmType(text: unknown): text is EdmType {
  return names.has(text)
}
