import { mapperInputError } from '../errors/codes.ts'
import { isExactNumber, type JsonDocument, type JsonSource, readJsonSource } from './json-source.ts'
import { type JsonPath, placeOf, printJson, printParts } from './print-json.ts'
import { definedMembers, isPlainObject, isSameJson } from './same-json.ts'

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
