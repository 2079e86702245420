import type { InputError } from '@rowkey/odata'
import type { KeyPart } from '@rowkey/query'
import { invalidKeyPart } from '../errors/compose-errors.ts'
import type { KeyFormat } from './key-format.ts'
import { textFormat } from './text-format.ts'

/** The value of one part of a key. */
export interface ReadPart {
  /** The value; `undefined` where the format cannot be read back. */
  readonly value: unknown
  /** The place in the key where the next part begins. */
  readonly end: number
}

/** The columns of a model, as its key templates use them. */
export interface TemplateModel {
  readonly columns: readonly { readonly property: string; readonly name: string }[]
  readonly ignored: readonly string[]
  readonly etag: string | undefined
  readonly timestamp: string | undefined
}

/** One property in a key, with its format. By itself it is a whole key of plain text. */
export class TemplatePart implements KeyPart {
  /** The property's name in the class or model. */
  readonly property: string
  /** The format of its values in the key. */
  readonly format: KeyFormat
  /** The part as the template declares it: `orderNo:8`. */
  readonly text: string

  /**
   * @param property - the property
   * @param format - its format
   * @param text - the part as the template declares it
   * @internal
   */
  constructor(property: string, format: KeyFormat = textFormat, text: string = property) {
    this.property = property
    this.format = format
    this.text = text
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
   * @throws InputError (`InvalidKeyPart`) when the format rejects the value
   */
  print(value: unknown): string {
    return this.printBefore('', value)
  }

  /**
   * Parses the value at a place of a key.
   *
   * @returns the value and its end; `undefined` when the key has another form
   */
  parse(key: string, from: number): ReadPart | undefined {
    const text = key.slice(from)
    return textFormat.print(text, '') === undefined ? undefined : { value: text, end: key.length }
  }

  /**
   * Tells why a model cannot have the part in a template.
   *
   * @internal
   */
  problemIn(_model: TemplateModel): string | undefined {
    return undefined
  }

  /** Prints a value that stands before a fixed text. */
  protected printBefore(next: string, value: unknown): string {
    const text = this.format.print(value, next.charAt(0))
    if (text === undefined) throw this.#invalid(value)
    return text
  }

  #invalid(value: unknown): InputError {
    const missing = value === undefined || value === null
    return invalidKeyPart(
      this.property,
      missing
        ? `It is ${value}, and the key needs it. Give it a value.`
        : `It must be ${this.format.takes}, because the key has \${'${this.text}'}; got ${describePart(value)}.`,
    )
  }
}

/** A Date is shown, because only its time of the day may be wrong. */
function describePart(value: unknown): string {
  if (!(value instanceof Date)) return `an invalid ${typeof value}`
  return Number.isNaN(value.getTime()) ? 'an invalid Date' : `the Date ${value.toISOString()}`
}
