import { describeKind } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { definedMembers, isPlainObject, isSameJson } from '../place/same-value.ts'

/** The digits that identify every Double; a longer number has more digits than a Double can hold. */
const DOUBLE_DIGITS = 17

/** A decimal number: its digits without zeros at either end, and the power of ten of the last one. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/**
 * Returns whether a number of JSON survives being read as a Double and written again. It does when the
 * Double is written as the same decimal. It also does when the text is a fraction of up to 17 digits, as
 * some programs write that Double (`0.10000000000000001`).
 *
 * @param text - the number as JSON spells it
 *
 * @example
 * ```ts
 * isExactNumber('1.50e2') // true
 * isExactNumber('12345678901234567890') // false: a Double holds 12345678901234567168
 * ```
 */
export function isExactNumber(text: string): boolean {
  const value = Number(text)
  const decimal = decimalOf(text)
  if (decimal.digits === '') return true
  if (value === 0 || !Number.isFinite(value)) return false
  if (isSame(decimal, decimalOf(String(value)))) return true
  const isFraction = decimal.exponent < 0
  const count = decimal.digits.length
  return (
    isFraction && count <= DOUBLE_DIGITS && isSame(decimal, decimalOf(value.toPrecision(count)))
  )
}

function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.exponent === other.exponent
}

/** The sign is left out: a Double has the one of its text. */
function decimalOf(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  const digits = all.replace(/(?<!0)0+$/, '')
  const exponent = Number(power) - fraction.length + all.length - digits.length
  return { digits: digits.replace(/^0+/, ''), exponent }
}

/** A value that is nested more deeply is almost certainly a ring. */
const MAX_DEPTH = 500

/** The names and positions that lead to a part of a value. */
type JsonPath = readonly string[]

/** Throws for a number that must not be written at a place. */
type NumberCheck = (value: number, path: JsonPath) => void

/**
 * Writes a value as JSON text that reads back as the same value.
 *
 * `JSON.stringify` turns NaN into null, a Date into text and a Map into `{}` without an error. Here
 * values that JSON cannot hold are rejected; members that are `undefined` are left out.
 *
 * @param value - the value
 * @param path - where it stands in the whole value
 * @param checkNumber - sees every number
 * @throws InputError (`InvalidJsonValue`) naming the place
 */
export function printJson(value: unknown, path: JsonPath = [], checkNumber?: NumberCheck): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      checkNumber?.(value, path)
      return printNumber(value, path)
    case 'object':
      if (value === null) return 'null'
      return printParts(value, path, (part, name) => printJson(part, [...path, name], checkNumber))
    default:
      return reject(value, path)
  }
}

/**
 * Writes an object or an array as JSON text.
 *
 * @param printPart - writes a member or an element; the name of an element is its position
 * @throws InputError (`InvalidJsonValue`) when it is neither a plain object nor an array, or too deep
 */
function printParts(
  value: object,
  path: JsonPath,
  printPart: (part: unknown, name: string) => string,
): string {
  if (path.length > MAX_DEPTH) return reject(value, path.slice(0, 3))
  // Array.from sees holes, which would come back as null.
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, at) => printPart(item, String(at))).join(',')}]`
  }
  if (!isPlainObject(value)) return reject(value, path)
  const members = definedMembers(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${printPart(member, name)}`,
  )
  return `{${members.join(',')}}`
}

/** Names a place in a value, for the beginning of a sentence. */
function placeOf(path: JsonPath): string {
  return path.length === 0 ? 'The value' : `${path.join('.')} of the value`
}

function printNumber(value: number, path: JsonPath): string {
  if (!Number.isFinite(value)) return reject(value, path)
  return Object.is(value, -0) ? '-0' : String(value)
}

const FIXES: Readonly<Partial<Record<string, string>>> = {
  bigint: 'JSON has only numbers, which readers hold exactly up to 2^53. Store it as text.',
  number: 'Leave it out, or store it as text.',
}

function reject(value: unknown, path: JsonPath): never {
  const fix =
    FIXES[typeof value] ??
    'Give a plain object, an array, a string, a number, a boolean or null, or convert it with a z.codec.'
  throw mapperInputError({
    code: 'InvalidJsonValue',
    details: { path: path.join('.') },
    message: `${placeOf(path)} is ${describeKind(value)}, which JSON cannot hold. ${fix}`,
  })
}

/** A part of the value, and what is stored of it. */
interface Part {
  readonly value: unknown
  /** The stored part as the caller saw it. */
  readonly base: unknown
  /** The stored part, with the marks of {@link StoredJson}. */
  readonly stored: unknown
  readonly path: JsonPath
  /** It is in an array that changed, so another part may have been here. */
  readonly mayHaveMoved: boolean
  /** Members that the caller could not see stay. */
  readonly keepsHidden: boolean
}

/** The old and the new value of a JSON text. */
interface JsonChange {
  /** The value of the text as the caller saw it. */
  readonly base: unknown
  /** The new value. */
  readonly value: unknown
}

/**
 * Changes a JSON text to another value. Numbers that the caller did not change keep their digits, also those with
 * more digits than JavaScript holds. An unchanged value keeps its text.
 *
 * Members that a schema hid from the caller stay too, except in an array with more than one changed element.
 *
 * @param text - the stored JSON text
 * @param change - the value that the caller saw, and the new value
 * @throws InputError (`InvalidJsonValue`) naming the place, when JSON cannot hold the value, or when a number with more
 * digits than JavaScript holds was moved to another place
 *
 * @example
 * ```ts
 * const text = '{"id":12345678901234567890,"b":1}'
 * const base = JSON.parse(text)
 * updateJson(text, { base, value: { ...base, b: 2 } }) // '{"id":12345678901234567890,"b":2}'
 * ```
 */
export function updateJson(text: string, { base, value }: JsonChange): string {
  if (isSameJson(value, base)) return text
  const json = new StoredJson(text)
  const stored = json.root
  return json.print({ value, base, stored, path: [], mayHaveMoved: false, keepsHidden: true })
}

/** A text, with the colon after it when it is the name of a member, or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"(\s*:)?)?|-?\d[\d.eE+-]*/gs

/** How texts begin in {@link StoredJson}, and how the digits of numbers that JavaScript would round. */
const TEXT = 't'
const DIGITS = 'd'

/** Stored JSON that is changed. */
class StoredJson {
  /** The value, with {@link TEXT} or {@link DIGITS} before each text. */
  readonly root: unknown
  /** Numbers that one spelling in the text does not hold exactly, with all their spellings. */
  readonly #inexact = new Map<number, Set<string>>()

  constructor(text: string) {
    const spellings = new Map<number, Set<string>>()
    const marked = text.replace(TOKEN, (token: string, colon?: string) => {
      if (colon !== undefined) return token
      if (token.startsWith('"')) return `"${TEXT}${token.slice(1)}`
      const value = Number(token)
      const known = spellings.get(value) ?? new Set()
      spellings.set(value, known.add(token))
      if (isExactNumber(token)) return token
      this.#inexact.set(value, known)
      return `"${DIGITS}${token}"`
    })
    this.root = JSON.parse(marked)
  }

  print(part: Part): string {
    const { value, base, stored, path } = part
    if (isSameJson(value, base)) return this.#printStored(part)
    if (isPlainObject(value) && isPlainObject(base) && isPlainObject(stored)) {
      return this.#printObject(value, base, part)
    }
    const isArrays = Array.isArray(value) && Array.isArray(base) && Array.isArray(stored)
    if (isArrays && stored.length === base.length) return this.#printArray(value, base, part)
    return this.#printNew(value, path)
  }

  /** Prints an unchanged part. */
  #printStored(part: Part): string {
    const { stored, path } = part
    if (typeof stored === 'object' && stored !== null) {
      return printParts(stored, path, (each, name) =>
        this.#printStored({ ...part, stored: each, path: [...path, name] }),
      )
    }
    if (typeof stored === 'string' && stored.startsWith(TEXT))
      return JSON.stringify(stored.slice(1))
    const digits = typeof stored === 'string' ? stored.slice(1) : printJson(stored)
    const spellings = this.#inexact.get(Number(digits))
    if (part.mayHaveMoved && spellings !== undefined && spellings.size > 1) rejectNumber(path)
    return digits
  }

  /** A number that is stored with more digits may be one that was moved. */
  #printNew(value: unknown, path: JsonPath): string {
    return printJson(value, path, (number, place) => {
      if (this.#inexact.has(number)) rejectNumber(place)
    })
  }

  #printObject(value: object, base: object, part: Part): string {
    const { path, keepsHidden } = part
    const seen = new Map(definedMembers(base))
    const stored = new Map(definedMembers(part.stored as object)) // as `print` found
    const members = new Map(definedMembers(value))
    const text = printParts(value, path, (member, name) => {
      const place = [...path, name]
      if (!stored.has(name)) return this.#printNew(member, place)
      const next = { value: member, base: seen.get(name), stored: stored.get(name), path: place }
      return this.print({ ...part, ...next })
    })
    const isHidden = ([name]: readonly [string, unknown]) => !seen.has(name) && !members.has(name)
    const hidden = keepsHidden ? [...stored].filter(isHidden) : []
    const texts = hidden.map(([name, each]) => {
      const kept = { ...part, stored: each, path: [...path, name], mayHaveMoved: false }
      return `${JSON.stringify(name)}:${this.#printStored(kept)}`
    })
    return `{${[text.slice(1, -1), ...texts].filter(Boolean).join(',')}}`
  }

  /**
   * Elements before the first change and after the last one are unchanged, and have only moved when the array has
   * another length. Others changed in place when it has the same length, and are new otherwise.
   */
  #printArray(value: readonly unknown[], base: readonly unknown[], part: Part): string {
    const stored = part.stored as readonly unknown[] // as `print` found
    const first = value.findIndex((item, at) => at >= base.length || !isSameJson(item, base[at]))
    const start = first < 0 ? value.length : first
    const end = sameAtEnd(value, base, Math.min(value.length, base.length) - start)
    const shift = base.length - value.length
    const isOneChanged = shift === 0 && start + end === value.length - 1
    const keepsHidden = part.keepsHidden && isOneChanged
    return printParts(value, part.path, (item, name) => {
      const at = Number(name)
      const path = [...part.path, name]
      const isKept = at < start || at >= value.length - end
      if (shift !== 0 && !isKept) return this.#printNew(item, path)
      const from = at < start ? at : at + shift
      const old = { base: base[from], stored: stored[from] }
      return this.print({ ...old, value: item, path, mayHaveMoved: true, keepsHidden })
    })
  }
}

/** Counts the elements at the end of two arrays that are the same, up to `most`. */
function sameAtEnd(one: readonly unknown[], other: readonly unknown[], most: number): number {
  for (let count = 0; count < most; count++) {
    if (!isSameJson(one.at(-1 - count), other.at(-1 - count))) return count
  }
  return most
}

function rejectNumber(path: JsonPath): never {
  throw mapperInputError({
    code: 'InvalidJsonValue',
    details: { path: path.join('.') },
    message:
      `${placeOf(path)} has a number that is stored with more digits than JavaScript holds, and it may ` +
      'have been moved here: storing it would round it. Leave it in its place, or store it as a string.',
  })
}
