import {
  checkValue,
  declareOptions,
  describeKind,
  type EdmValue,
  type EntityProperty,
  invalidOption,
  rule,
  trueOrFalse,
} from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import type { Converter } from './converter.ts'

const MS_PER_DAY = 86_400_000
const TICKS_PER_MS = 10_000
const MAX_TIME_SPAN_MS = 922_337_203_685_477
const TIME_SPAN = /^(-)?(?:(\d{1,8})\.)?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?$/

/**
 * Converts a `TimeSpan` of .NET, which its clients store as text such as `1.02:03:04.5000000`, to
 * milliseconds. Spans of less than 28 years keep fractions of a millisecond, down to 100 ns. Text that you
 * do not change stays as it is.
 *
 * Reading throws an InputError (`ConversionFailed`) for other text; writing throws it for NaN, and for spans
 * that a `TimeSpan` cannot hold, about 29,000 years.
 *
 * @example
 * ```ts
 * @Convert(timeSpanText) Timeout?: number // 1500 is stored as '00:00:01.5000000'
 * ```
 */
export const timeSpanText: Converter<number, string> = {
  type: 'String',
  toStored: printTimeSpan,
  fromStored: parseTimeSpan,
}

/**
 * Converts a `uint` of .NET, whose clients store 4,294,967,295 as the Int32 -1, to a number from 0 to 2³² - 1.
 * Writing throws an InputError (`ConversionFailed`) for other numbers.
 */
export const unsignedInt32: Converter<number, number> = {
  type: 'Int32',
  toStored(value) {
    if (value >>> 0 !== value) throw unfit(value, 'a whole number from 0 to 4294967295')
    return value | 0
  },
  fromStored: (stored) => stored >>> 0,
}

/**
 * Converts a `ulong` of .NET, whose clients store 2⁶⁴ - 1 as the Int64 -1, to a bigint from 0 to 2⁶⁴ - 1.
 * Writing throws an InputError (`ConversionFailed`) for other bigints.
 */
export const unsignedInt64: Converter<bigint, bigint> = {
  type: 'Int64',
  toStored(value) {
    if (BigInt.asUintN(64, value) !== value) throw unfit(value, 'a bigint from 0 to 2⁶⁴ - 1')
    return BigInt.asIntN(64, value)
  },
  fromStored: (stored) => BigInt.asUintN(64, stored),
}

/**
 * Corrects dates that the Java client stored before its version 2.0.0, which wrote the milliseconds as steps of
 * 100 ns: it stored 12:00:00.123 as `12:00:00.0000123`. Other dates keep their milliseconds and lose further
 * digits. A stored date that you do not change stays as it is; a new one is stored correctly.
 *
 * Do not use it for dates that other programs wrote with steps of 100 ns: within 0.1 ms after a full second,
 * they look the same.
 *
 * @example
 * ```ts
 * @Convert(javaDate) created?: Date
 * ```
 */
export const javaDate: Converter<Date, Date> = {
  type: 'DateTime',
  toStored: (value) => new Date(value.getTime()),
  fromStored(stored) {
    const ms = stored.getTime()
    const ticks = 'ticksPastMs' in stored ? Number(stored.ticksPastMs) : 0
    return new Date(ms % 1000 === 0 && ticks < 1000 ? ms + ticks : ms)
  },
}

/** Numbers by name: an object, or a TypeScript `enum`. */
export interface NumericEnum {
  readonly [member: string]: string | number
}

/** Options of {@link enumText}. */
export interface EnumTextOptions {
  /**
   * Whether a value may combine members, as `[Flags]` says in .NET: `Read | Write` is stored as `Read, Write`.
   *
   * @defaultValue `false`
   */
  readonly flags?: boolean | undefined
}

const enumTextOptions = declareOptions<EnumTextOptions>({ flags: trueOrFalse })

/**
 * Makes a converter of numbers to the names of the members of a .NET `enum`, which .NET clients store.
 * A number without a name is stored as its digits, as .NET does. Reading throws an InputError
 * (`ConversionFailed`) for an unknown name. Conditions compare the names. For an `enum` of strings,
 * `@Property('String')` is enough.
 *
 * @param members - the numbers by name: an object, or a TypeScript `enum`, with the names of the .NET one
 * @param options - `flags`
 * @throws InputError (`InvalidOptionValue` or `UnknownOption`) for invalid options, and when the members are not an object
 *
 * @example
 * ```ts
 * const Colour = { Red: 1, Green: 2 }
 * // in a class: @Convert(enumText(Colour)) Paint?: number
 * // stores Colour.Red as 'Red'
 * ```
 */
export function enumText(
  members: NumericEnum,
  options: EnumTextOptions = {},
): Converter<number, string> {
  enumTextOptions.check(options, 'enumText')
  const { flags = false } = options
  if (typeof members !== 'object' || members === null) {
    throw invalidOption(
      `enumText takes an enum, or an object such as { Red: 1, Green: 2 }; got ${describeKind(members)}.`,
    )
  }
  const values = new Map(
    Object.entries(members).flatMap(([name, value]): [string, number][] =>
      typeof value === 'number' ? [[name, value]] : [],
    ),
  )
  return {
    type: 'String',
    comparable: true,
    toStored: (value) => namesOf(values, value, flags).join(', '),
    fromStored: (stored) =>
      stored
        .split(', ')
        .map((name) => enumValue(values, name))
        .reduce((flagsSoFar, flag) => flagsSoFar | flag),
  }
}

/** The properties of a row as an object whose members may be objects; see {@link nestedProperties}. */
export interface NestedProperties {
  /** A value, or the members that share the first part of their names. */
  readonly [name: string]: EdmValue | NestedProperties
}

const aDelimiter = rule('a text, not empty', (text) => typeof text === 'string' && text !== '')

/**
 * Rebuilds the object that `TableEntity.Flatten` of .NET stored: the properties `Address_City` and `Address_Zip`
 * become the member `Address` with the members `City` and `Zip`. Use it in a resolver. To change these rows, declare
 * a class with `@StoreAs('Address_City')`.
 *
 * @param properties - the properties of a row by name, as a resolver and `DynamicEntity` have them
 * @param delimiter - what separates the parts of a name, `'_'` by default
 * @throws InputError (`ConversionFailed`) when a property is both a value and an object
 * @throws InputError (`InvalidOptionValue`) when the properties are not a Map, and for an empty delimiter
 *
 * @example
 * ```ts
 * const orders = table.query().resolve((_customer, _id, _time, properties) => nestedProperties(properties))
 * ```
 */
export function nestedProperties(
  properties: ReadonlyMap<string, EntityProperty>,
  delimiter = '_',
): NestedProperties {
  const { has, entries }: Partial<typeof properties> = Object(properties)
  if (typeof has !== 'function' || typeof entries !== 'function') {
    throw invalidOption(
      `nestedProperties takes the Map of properties of a row; got ${describeKind(properties)}.`,
    )
  }
  checkValue(delimiter, aDelimiter, 'delimiter', 'nestedProperties')
  const own: [name: string, value: EdmValue | NestedProperties][] = []
  const inner = new Map<string, Map<string, EntityProperty>>()
  for (const [name, property] of properties) {
    const end = name.indexOf(delimiter, 1)
    const rest = name.slice(end + delimiter.length)
    if (end < 1 || rest === '') own.push([name, property.value])
    else insertInto(inner, name.slice(0, end)).set(rest, property)
  }
  for (const [name, members] of inner) {
    if (properties.has(name)) {
      const found = [...members.keys()][0]
      throw unfit(name, `either a value or an object, because "${name}${delimiter}${found}" exists`)
    }
    own.push([name, nestedProperties(members, delimiter)])
  }
  return Object.fromEntries(own)
}

function insertInto<Inner>(outer: Map<string, Map<string, Inner>>, name: string) {
  const inner = outer.get(name) ?? new Map<string, Inner>()
  outer.set(name, inner)
  return inner
}

function parseTimeSpan(text: string): number {
  const parts = TIME_SPAN.exec(text)
  if (parts === null) throw unfit(text, 'a TimeSpan such as 1.02:03:04.5000000')
  const [, sign, days = '0', hours, minutes, seconds = '0', fraction = ''] = parts
  const wholeSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const ticks = Number(fraction.padEnd(7, '0'))
  const ms = Number(days) * MS_PER_DAY + wholeSeconds * 1000 + ticks / TICKS_PER_MS
  return sign === undefined ? ms : -ms
}

function printTimeSpan(ms: number): string {
  if (!(Math.abs(ms) <= MAX_TIME_SPAN_MS)) throw unfit(ms, 'a TimeSpan in milliseconds')
  const size = Math.abs(ms)
  const whole = Math.floor(size)
  const ticks = BigInt(whole) * 10_000n + BigInt(Math.round((size - whole) * TICKS_PER_MS))
  const seconds = ticks / 10_000_000n
  const days = seconds / 86_400n
  const clock = new Date(Number(seconds % 86_400n) * 1000).toISOString().slice(11, 19)
  const fraction = String(ticks % 10_000_000n).padStart(7, '0')
  return [
    ms < 0 && ticks > 0n ? '-' : '',
    days > 0n ? `${days}.` : '',
    clock,
    fraction === '0000000' ? '' : `.${fraction}`,
  ].join('')
}

/** The names of a value: one, the names of its flags, or its digits. */
function namesOf(values: ReadonlyMap<string, number>, value: number, flags: boolean): string[] {
  if (!Number.isInteger(value)) throw unfit(value, 'a whole number')
  const exact = [...values].find(([, member]) => member === value)
  if (exact !== undefined) return [exact[0]]
  const set = flags ? [...values].filter(([, flag]) => flag !== 0 && (value & flag) === flag) : []
  const sum = set.reduce((all, [, flag]) => all | flag, 0)
  return sum === value && value !== 0 ? set.map(([name]) => name) : [String(value)]
}

function enumValue(values: ReadonlyMap<string, number>, name: string): number {
  const value = values.get(name) ?? (/^-?\d+$/.test(name) ? Number(name) : undefined)
  if (value === undefined) throw unfit(name, `one of ${[...values.keys()].join(', ')}`)
  return value
}

function unfit(value: EdmValue, rule: string) {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return mapperInputError({ code: 'ConversionFailed', message: `${shown} must be ${rule}.` })
}
