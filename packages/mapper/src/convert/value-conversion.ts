import { type EdmType, type EdmValue, type EntityKey, edmCodecs, RowkeyError } from '@rowkey/odata'
import { ConversionError } from '../errors/conversion-error.ts'
import type { Converter } from './converter.ts'

/** The converter of one property of one class. */
export class ValueConversion {
  /** What is stored. */
  readonly type: EdmType
  readonly #converter: Converter
  readonly #label: string

  /**
   * @param converter - converts the values
   * @param label - `Class.member`, for messages
   */
  constructor(converter: Converter, label: string) {
    this.type = converter.type
    this.#converter = converter
    this.#label = label
  }

  /**
   * The value that is stored.
   *
   * @throws {@link ConversionError} when there is none
   */
  toStored(value: unknown, key: EntityKey): EdmValue {
    const stored = this.#run('written', () => this.#converter.toStored(value, key))
    return edmCodecs[this.type].accept(stored, this.#label)
  }

  /**
   * What the member is to hold.
   *
   * @throws {@link ConversionError} when the stored value does not tell
   */
  fromStored(stored: EdmValue, key: EntityKey): unknown {
    return this.#run('read', () => this.#converter.fromStored(stored, key))
  }

  #run<Result>(action: 'written' | 'read', convert: () => Result): Result {
    try {
      return convert()
    } catch (cause) {
      // What was thrown may quote the value, so it is not repeated, unless it is known not to.
      const problem = cause instanceof RowkeyError ? cause.message : 'its converter threw an error.'
      throw new ConversionError({ property: this.#label, action, problem, cause })
    }
  }
}
