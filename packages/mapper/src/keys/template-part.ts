import type { InputError } from '@rowkey/odata'
import type { KeyPart } from '@rowkey/query'
import { mapperInputError } from '../errors/codes.ts'
import { invalidKeyPart } from '../errors/compose-errors.ts'
import { findKeyFormat } from './find-key-format.ts'
import type { KeyFormat } from './key-format.ts'

/** What was read of one part of a key. */
export interface ReadPart {
  /** The value; `undefined` where the format cannot be read back. */
  readonly value: unknown
  /** Where the next part begins in the key. */
  readonly end: number
}

/** One property in a key template, with its format and what stands after it. */
export class TemplatePart implements KeyPart {
  /** The property's name in the class or model. */
  readonly property: string
  /** How its values are written in the key. */
  readonly format: KeyFormat
  readonly #formatName: string
  readonly #next: string

  /**
   * @param property - the property
   * @param formatName - what stands after the colon; empty for plain text
   * @param next - the fixed text after it; empty when there is none
   * @throws InputError (`InvalidKeyTemplate`) when there is no such property or format
   */
  constructor(property: string, formatName: string, next: string) {
    const format = findKeyFormat(formatName)
    if (format === undefined || property === '') throw unknownPart(property, formatName)
    this.property = property
    this.format = format
    this.#formatName = formatName
    this.#next = next
  }

  /** As it is written in the template: `orderNo:8`. */
  get text(): string {
    return this.#formatName === '' ? this.property : `${this.property}:${this.#formatName}`
  }

  /** The same part before another text. */
  before(next: string): TemplatePart {
    return new TemplatePart(this.property, this.#formatName, next)
  }

  /** How the written texts sort, as against the values; `undefined` when they do not. */
  get order(): 'ascending' | 'descending' | undefined {
    return this.format.order
  }

  /** Whether a beginning of the value is a beginning of its text. */
  get prefixes(): boolean | undefined {
    return this.format.prefixes
  }

  /** How long every text is, in UTF-16 units; `undefined` when that depends on the value. */
  get fixedLength(): number | undefined {
    return this.format.length
  }

  /** Whether a key tells the value back. */
  get isReadable(): boolean {
    return this.format.parse !== undefined
  }

  /**
   * The text of a value in the key.
   *
   * @throws InputError (`InvalidKeyPart`) when the format does not take the value
   */
  print(value: unknown): string {
    const text = this.format.print(value, this.#next.charAt(0))
    if (text === undefined) throw this.#refuse(value)
    if (this.#next === '' || this.format.length !== undefined) return text
    // Where the text and what follows could be read in two ways, nobody could read the key back.
    if (`${text}${this.#next}`.indexOf(this.#next) === text.length) return text
    throw invalidKeyPart({
      property: this.property,
      problem:
        `It holds or ends with part of '${this.#next}', which separates it from the next part of the key. ` +
        `Take it out, or write the part as \${'${this.property}:escaped'}.`,
    })
  }

  /**
   * Reads the value that begins at a place of a key.
   *
   * @returns the value and where it ends; `undefined` when the key has another form
   */
  parse(key: string, from: number): ReadPart | undefined {
    const end = this.#endIn(key, from)
    if (end < from || end > key.length) return undefined
    if (this.format.parse === undefined) return { value: undefined, end }
    const text = key.slice(from, end)
    const value = this.format.parse(text)
    // A text that is never written would be another key when it is written back.
    if (value === undefined || this.format.print(value, this.#next.charAt(0)) !== text)
      return undefined
    return { value, end }
  }

  #endIn(key: string, from: number): number {
    if (this.format.length !== undefined) return from + this.format.length
    return this.#next === '' ? key.length : key.indexOf(this.#next, from)
  }

  #refuse(value: unknown): InputError {
    const missing = value === undefined || value === null
    const kind = typeof value === 'object' ? 'object' : typeof value
    return invalidKeyPart({
      property: this.property,
      problem: missing
        ? `It is ${value}, and the key needs it. Give it a value.`
        : `It must be ${this.format.takes}, since it is \${'${this.text}'} in the key, and this ${kind} is not.`,
    })
  }
}

function unknownPart(property: string, formatName: string): InputError {
  return mapperInputError({
    code: 'InvalidKeyTemplate',
    message:
      `\${'${property}:${formatName}'} names no property, or no key format. Write a property and, after a colon, a ` +
      'number of digits (:8, :19n) or one of :int32, :int64, :date, :time, :inverted, :guid, :hex, :escaped, ' +
      ':base64url, :hash.',
  })
}
