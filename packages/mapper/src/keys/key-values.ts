/** The formats with a name, and the types of their values. */
export interface KeyFormats {
  /** Text in which forbidden characters are escaped, as `!2f`. */
  readonly escaped: string
  /** Text as url-safe base64. */
  readonly base64url: string
  /** The SHA-256 of a text; it cannot be read back. */
  readonly hash: string
  /** A Guid in lower case. */
  readonly guid: string
  /** Bytes as hexadecimal digits. */
  readonly hex: Uint8Array
  /** An Int32; negative numbers sort first. */
  readonly int32: number
  /** An Int64; negative numbers sort first. */
  readonly int64: bigint
  /** A day in UTC: a Date at midnight. */
  readonly date: Date
  /** An instant in UTC, oldest first. */
  readonly time: Date
  /** An instant, newest first. */
  readonly inverted: Date
}

/**
 * The property of a part of a key template.
 *
 * @example
 * ```ts
 * type A = KeyPartName<'orderNo:8'> // 'orderNo'
 * ```
 */
export type KeyPartName<Part extends string> = Part extends `${infer Name}:${string}` ? Name : Part

/**
 * The type of the values of a format; `never` for an unknown format.
 *
 * @example
 * ```ts
 * type A = KeyFormatValue<'8'>    // number
 * type B = KeyFormatValue<'19n'>  // bigint
 * type C = KeyFormatValue<'date'> // Date
 * ```
 */
export type KeyFormatValue<Format extends string> = Format extends keyof KeyFormats
  ? KeyFormats[Format]
  : Format extends `${bigint}n`
    ? bigint
    : Format extends `${bigint}`
      ? number
      : never

/**
 * The type of the values of a part of a key template.
 *
 * @example
 * ```ts
 * type A = KeyPartValue<'orderNo:8'> // number
 * type B = KeyPartValue<'city'>      // string
 * ```
 */
export type KeyPartValue<Part extends string> = Part extends `${string}:${infer Format}`
  ? KeyFormatValue<Format>
  : string

/**
 * The properties of a key template, with the types of their values.
 *
 * @example
 * ```ts
 * type A = KeyValues<'state' | 'orderNo:8'> // { state: string; orderNo: number }
 * ```
 */
export type KeyValues<Part extends string> = {
  [Name in KeyPartName<Part>]: KeyPartValue<Extract<Part, Name | `${Name}:${string}`>>
}

/**
 * The parts of a key template: themselves when all are valid, else a sentence that the compiler shows.
 *
 * @example
 * ```ts
 * type A = CheckedKeyParts<['orderNo:8']> // ['orderNo:8']
 * type B = CheckedKeyParts<['orderNo:eight']>
 * // ["The key part 'orderNo:eight' has an unknown format: …"]
 * ```
 */
export type CheckedKeyParts<Parts extends readonly unknown[]> = [UnknownFormat<Parts>] extends [
  never,
]
  ? Parts
  : {
      readonly [Index in keyof Parts]: Parts[Index] extends UnknownFormat<Parts>
        ? `The key part '${Parts[Index]}' has an unknown format: use ${KnownFormats}, or no colon`
        : Parts[Index]
    }

/** The formats of key parts, for messages. */
export type KnownFormats =
  'digits such as :8 or :19n, :int32, :int64, :date, :time, :inverted, :guid, :hex, :escaped, :base64url, :hash'

/**
 * The parts with an unknown format; `never` when all are valid.
 *
 * @example
 * ```ts
 * type A = UnknownFormat<['state', 'orderNo:eight']> // 'orderNo:eight'
 * ```
 */
export type UnknownFormat<Parts extends readonly unknown[]> = {
  [Part in Extract<Parts[number], string>]: [KeyPartValue<Part>] extends [never] ? Part : never
}[Extract<Parts[number], string>]
