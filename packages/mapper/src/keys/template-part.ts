import { describeValue, type InputError } from '@rowkey/odata'
import type { KeyPart } from '@rowkey/query'
import { invalidKeyPart } from '../errors/compose-errors.ts'
import type { KeyFormat } from './key-format.ts'

/** The value of one part of a key. */
export interface ReadPart {
  /** The value; `undefined` where the format cannot be read back. */
  readonly value: unknown
  /** The place in the key where the next part begins. */
  readonly end: number
}

type DeclaredPart = Pick<TemplatePart, 'property' | 'format' | 'text'>

/** One property in a key, with its format and the fixed text after it. */
export class TemplatePart implements KeyPart {
  /** The property's name in the class or model. */
  readonly property: string
  /** The format of its values in the key. */
  readonly format: KeyFormat
  /** The part as the template declares it: `orderNo:8`. */
  readonly text: string
  readonly #next: string

  /**
   * @param part - the property, its format, and the part as the template declares it
   * @param next - the fixed text after it; empty for the last part
   * @internal
   */
  constructor({ property, format, text }: DeclaredPart, next = '') {
    this.property = property
    this.format = format
    this.text = text
    this.#next = next
  }

  /** Whether the texts sort as the values do, or in reverse; `undefined` when they do not. */
  get order(): 'ascending' | 'descending' | undefined {
    return this.format.order
  }

  /** Whether the text of a value begins with the text of every prefix of the value. */
  get prefixes(): boolean | undefined {
    return this.format.prefixes
  }

  /** The length of every text in UTF-16 units; `undefined` when it depends on the value. */
  get fixedLength(): number | undefined {
    return this.format.length
  }

  /** Whether the value can be read back from a key. */
  get isReadable(): boolean {
    return this.format.parse !== undefined
  }

  /**
   * Prints a value for the key.
   *
   * @throws InputError (`InvalidKeyPart`) when the format rejects the value, or it contains the text after it
   */
  print(value: unknown): string {
    const next = this.#next
    const text = this.format.print(value, next.charAt(0))
    if (text === undefined) throw this.#invalid(value)
    if (next === '' || this.format.length !== undefined) return text
    // The key could be read in two ways otherwise.
    if (`${text}${next}`.indexOf(next) === text.length) return text
    throw invalidKeyPart(
      this.property,
      `It must not contain '${next}', or end with its beginning: this text separates it from the next part ` +
        `of the key. Remove it, or write the part as \${'${this.property}:escaped'}.`,
    )
  }

  /**
   * Parses the value at a place of a key.
   *
   * @returns the value and its end; `undefined` when the key has another form
   */
  parse(key: string, from: number): ReadPart | undefined {
    const end = this.#endIn(key, from)
    if (end < from || end > key.length) return undefined
    if (this.format.parse === undefined) return { value: undefined, end }
    const text = key.slice(from, end)
    const value = this.format.parse(text)
    // A text that is never printed would become another key when it is written back.
    if (value === undefined || this.format.print(value, this.#next.charAt(0)) !== text)
      return undefined
    return { value, end }
  }

  #endIn(key: string, from: number): number {
    if (this.format.length !== undefined) return from + this.format.length
    return this.#next === '' ? key.length : key.indexOf(this.#next, from)
  }

  #invalid(value: unknown): InputError {
    const missing = value === undefined || value === null
    return invalidKeyPart(
      this.property,
      missing
        ? `It is ${value}, and the key needs it. Give it a value.`
        : `It must be ${this.format.takes}, because the key has \${'${this.text}'}; got ${describeValue(value)}.`,
    )
  }
}
