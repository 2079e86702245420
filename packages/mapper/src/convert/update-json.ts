import { mapperInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'
import { definedMembers, isPlainObject, isSameJson } from './same-json.ts'

/** The place of one value in a JSON text, and the values in it. */
export interface JsonSource {
  readonly start: number
  /** The place after its last character. */
  readonly end: number
  /** The members of an object: each name with its values in the order of the text. A name may occur twice. */
  readonly members?: ReadonlyMap<string, readonly JsonSource[]>
  /** The elements of an array. */
  readonly elements?: readonly JsonSource[]
}

/** A number of a JSON text, in its spelling there. */
interface JsonNumber {
  readonly start: number
  readonly text: string
  /** The number that `JSON.parse` makes of it. */
  readonly value: number
}

/** A JSON text with the places of its values. */
interface JsonDocument {
  readonly text: string
  readonly root: JsonSource
  /** Every number in the text, in its order. */
  readonly numbers: readonly JsonNumber[]
}

/** An object or array whose end has not been reached. */
interface Open {
  readonly start: number
  end: number
  readonly members?: Map<string, JsonSource[]>
  readonly elements?: JsonSource[]
  /** The name whose value comes next. */
  name?: string | undefined
}

/** The tokens of valid JSON, except commas and colons. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s:,[\]{}"]+/g
const NUMBER = /^[-\d]/

/**
 * Finds every value and every number in a JSON text.
 *
 * @param text - text that `JSON.parse` accepts
 */
export function readJsonSource(text: string): JsonDocument {
  const numbers: JsonNumber[] = []
  const top: Open = { start: 0, end: 0, elements: [] }
  const open = [top]
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    const end = start + token.length
    const parent = open.at(-1) as Open // the text is valid: every closing bracket has its opening one
    if (token === '}' || token === ']') {
      parent.end = end
      open.pop()
    } else if (token === '{' || token === '[') {
      const part = token === '{' ? { members: new Map<string, JsonSource[]>() } : { elements: [] }
      const container: Open = { start, end, ...part }
      add(parent, container)
      open.push(container)
    } else if (parent.members !== undefined && parent.name === undefined) {
      parent.name = JSON.parse(token) as string
    } else {
      if (NUMBER.test(token)) numbers.push({ start, text: token, value: Number(token) })
      add(parent, { start, end })
    }
  }
  return { text, root: top.elements?.[0] as JsonSource, numbers }
}

function add(parent: Open, value: JsonSource): void {
  parent.elements?.push(value)
  if (parent.members === undefined || parent.name === undefined) return
  const values = parent.members.get(parent.name)
  if (values === undefined) parent.members.set(parent.name, [value])
  else values.push(value)
  parent.name = undefined
}

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

/** A part of the new value, with the part of the stored text that it replaces. */
interface Part {
  readonly value: unknown
  /** The stored part as the caller saw it. */
  readonly base: unknown
  readonly source: JsonSource
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
 * Changes a JSON text to another value. Every part that the caller did not change keeps its text: spaces,
 * duplicate members, and numbers with more digits than JavaScript holds.
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
  const document = readJsonSource(text)
  const update = new JsonUpdate(document)
  const source = document.root
  return update.print({ value, base, source, path: [], mayHaveMoved: false, keepsHidden: true })
}

class JsonUpdate {
  readonly #document: JsonDocument
  /** Numbers that one spelling in the text does not hold exactly, with all their spellings. */
  readonly #inexact = new Map<number, Set<string>>()

  constructor(document: JsonDocument) {
    this.#document = document
    for (const { text, value } of document.numbers) {
      if (!isExactNumber(text)) this.#inexact.set(value, new Set())
    }
    if (this.#inexact.size === 0) return
    for (const { text, value } of document.numbers) this.#inexact.get(value)?.add(text)
  }

  print(part: Part): string {
    const { value, base, source, path } = part
    if (isSameJson(value, base)) return this.#keep(part)
    if (isPlainObject(value) && isPlainObject(base) && source.members !== undefined) {
      return this.#printObject(value, base, part)
    }
    if (Array.isArray(value) && Array.isArray(base) && source.elements?.length === base.length) {
      return this.#printArray(value, base, part)
    }
    return this.#printNew(value, path)
  }

  /** Returns the text of an unchanged part. */
  #keep({ source, path, mayHaveMoved }: Part): string {
    if (mayHaveMoved) this.#checkSpellings(source, path)
    return this.#textOf(source)
  }

  #checkSpellings({ start, end }: JsonSource, path: JsonPath): void {
    for (const number of this.#document.numbers) {
      if (number.start < start || number.start >= end) continue
      const spellings = this.#inexact.get(number.value)
      if (spellings !== undefined && spellings.size > 1) rejectNumber(path)
    }
  }

  #printNew(value: unknown, path: JsonPath): string {
    return printJson(value, path, (number, place) => {
      if (this.#inexact.has(number)) rejectNumber(place)
    })
  }

  #printObject(value: object, base: object, part: Part): string {
    const { source, path } = part
    const seen = new Map(definedMembers(base))
    const text = printParts(value, path, (member, name) => {
      const sources = source.members?.get(name) ?? []
      const place = [...path, name]
      const current = sources.at(-1)
      if (current === undefined) return this.#printNew(member, place)
      const next = { ...part, value: member, base: seen.get(name), source: current, path: place }
      // Readers use the last of duplicate members.
      const earlier = sources.slice(0, -1).map((given) => this.#textOf(given))
      return [...earlier, this.print(next)].join(`,${JSON.stringify(name)}:`)
    })
    if (!part.keepsHidden) return text
    const hidden = this.#hiddenMembers(value, seen, source)
    return hidden.length === 0
      ? text
      : `{${[text.slice(1, -1), ...hidden].filter(Boolean).join(',')}}`
  }

  /** Returns stored members that the caller neither saw nor set. */
  #hiddenMembers(value: object, seen: ReadonlyMap<string, unknown>, source: JsonSource): string[] {
    const given = new Set(definedMembers(value).map(([name]) => name))
    const hidden: string[] = []
    for (const [name, sources] of source.members ?? []) {
      if (seen.has(name) || given.has(name)) continue
      for (const member of sources) hidden.push(`${JSON.stringify(name)}:${this.#textOf(member)}`)
    }
    return hidden
  }

  /**
   * Prints an array. Unchanged elements at its start and at its end keep their text. Elements between them
   * replace each other one by one if their number is unchanged.
   */
  #printArray(value: readonly unknown[], base: readonly unknown[], part: Part): string {
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
      const source = part.source.elements?.[from] as JsonSource // there are as many as in `base`
      return this.print({
        value: item,
        base: base[from],
        source,
        path,
        mayHaveMoved: true,
        keepsHidden,
      })
    })
  }

  #textOf({ start, end }: JsonSource): string {
    return this.#document.text.slice(start, end)
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
