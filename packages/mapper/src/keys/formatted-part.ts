import { invalidKeyPart } from '../errors/compose-errors.ts'
import { type ReadPart, type TemplateModel, TemplatePart } from './template-part.ts'

/** One property in a key template, with its format and the text after it. */
export class FormattedPart extends TemplatePart {
  readonly #next: string

  /**
   * @param part - the property and its format
   * @param next - the fixed text after it; empty for the last part
   */
  constructor({ property, format, text }: TemplatePart, next: string) {
    super(property, format, text)
    this.#next = next
  }

  override print(value: unknown): string {
    const text = this.printBefore(this.#next, value)
    if (this.#next === '' || this.format.length !== undefined) return text
    // The key could be read in two ways otherwise.
    if (`${text}${this.#next}`.indexOf(this.#next) === text.length) return text
    throw invalidKeyPart(
      this.property,
      `It must not contain '${this.#next}', or end with its beginning: this text separates it from the next part ` +
        `of the key. Remove it, or write the part as \${'${this.property}:escaped'}.`,
    )
  }

  override parse(key: string, from: number): ReadPart | undefined {
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

  override problemIn({ columns, ignored, etag, timestamp }: TemplateModel): string | undefined {
    const { property } = this
    if (ignored.includes(property)) {
      return 'It is a part of the key, so @Ignore() must not be on it. Remove @Ignore().'
    }
    if (property === etag || property === timestamp) {
      return 'It is a part of the key, but it also shows the ETag or the Timestamp, which only the service sets. Keep one.'
    }
    const isStored = columns.some((column) => column.property === property)
    if (!this.isReadable && !isStored) {
      return 'The key contains only its hash, so it could not be read back. Put @Property() on it.'
    }
    const namesake = columns.find(({ name }) => name === property)
    if (isStored || namesake === undefined) return undefined
    return (
      `It is a part of the key, but ${namesake.property} is stored as '${property}', so conditions on the two ` +
      `could not be distinguished. Store ${namesake.property} under another name.`
    )
  }

  #endIn(key: string, from: number): number {
    if (this.format.length !== undefined) return from + this.format.length
    return this.#next === '' ? key.length : key.indexOf(this.#next, from)
  }
}
