import {
  type EdmCodec,
  type EdmType,
  type EdmValue,
  type EntityKey,
  edmCodecs,
  RowkeyError,
} from '@rowkey/odata'
import { conversionFailed } from '../errors/compose-errors.ts'
import { isSameJson } from '../place/same-value.ts'
import { type Converter, isSchemaConverter } from './converter.ts'

/** Converts the values of one property of one class, and names it in errors. */
export class ValueConversion {
  /** The type of the stored values. */
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
   * Returns the value to store.
   *
   * @throws InputError (`ConversionFailed`, or `UnsafeInteger`) when the converter throws
   */
  toStored(value: unknown, key: EntityKey): EdmValue {
    return this.#accepted(() => this.#converter.toStored(value, key))
  }

  /**
   * Returns the value to store in place of the current one, which it returns while the member is unchanged.
   *
   * @throws InputError (`ConversionFailed`) when the converter throws
   */
  update(before: EdmValue, value: unknown, key: EntityKey): EdmValue {
    const { update } = this.#converter
    if (update === undefined) return this.#replace(before, value, key)
    return this.#accepted(() => update.call(this.#converter, before, value, key))
  }

  /** A stored value may be another spelling of the same one, such as a number with zeros. */
  #replace(before: EdmValue, value: unknown, key: EntityKey): EdmValue {
    let stored: EdmValue
    try {
      stored = this.toStored(value, key)
    } catch (error) {
      // A value that was read leniently cannot be written. While it is unchanged, it need not be.
      if (isSameJson(value, this.fromStored(before, key))) return before
      throw error
    }
    if (Object.is(stored, before)) return before
    const { writeJson }: EdmCodec = edmCodecs[this.type]
    try {
      const again = this.toStored(this.fromStored(before, key), key)
      if (writeJson(again) === writeJson(stored)) return before
    } catch {
      // It was read leniently, and a new value can replace it.
    }
    return stored
  }

  /**
   * Returns the value for the member.
   *
   * @throws InputError (`ConversionFailed`) when the converter throws
   */
  fromStored(stored: EdmValue, key: EntityKey): unknown {
    return this.#run('read', () => this.#converter.fromStored(stored, key))
  }

  /**
   * Returns what a read assigns to the member. The schema of the whole entity, if there is one, converts it then.
   *
   * @throws InputError (`ConversionFailed`) when the converter throws
   */
  read(stored: EdmValue, key: EntityKey): unknown {
    const converter = this.#converter
    if (!isSchemaConverter(converter)) return this.fromStored(stored, key)
    return this.#run('read', () => converter.input(stored))
  }

  #accepted(convert: () => unknown): EdmValue {
    return edmCodecs[this.type].accept(this.#run('written', convert), this.#label)
  }

  #run<Result>(action: 'written' | 'read', convert: () => Result): Result {
    try {
      return convert()
    } catch (cause) {
      // The error may quote the value, so its message is only repeated when Rowkey made it.
      const problem = cause instanceof RowkeyError ? cause.message : 'its converter threw an error.'
      throw conversionFailed({ property: this.#label, action, problem, cause })
    }
  }
}
