import {
  type EdmCodec,
  type EdmType,
  type EdmValue,
  type EntityKey,
  edmCodecs,
  RowkeyError,
} from '@rowkey/odata'
import { conversionFailed } from '../errors/compose-errors.ts'
import type { Converter } from './converter.ts'
import { isSameJson } from './same-json.ts'

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
   * @throws InputError (`ConversionFailed`) when there is none
   */
  toStored(value: unknown, key: EntityKey): EdmValue {
    const stored = this.#run('written', () => this.#converter.toStored(value, key))
    return edmCodecs[this.type].accept(stored, this.#label)
  }

  /**
   * The value to store in the place of another one: the same one, when the member was not changed.
   *
   * @throws InputError (`ConversionFailed`) when the converter rejects the value
   */
  update(before: EdmValue, value: unknown, key: EntityKey): EdmValue {
    const { update } = this.#converter
    if (update === undefined) return this.#replace(before, value, key)
    const stored = this.#run('written', () => update.call(this.#converter, before, value, key))
    return edmCodecs[this.type].accept(stored, this.#label)
  }

  /** A stored value may be another spelling of the same one, such as a number with zeros. */
  #replace(before: EdmValue, value: unknown, key: EntityKey): EdmValue {
    let stored: EdmValue
    try {
      stored = this.toStored(value, key)
    } catch (error) {
      // A value that was read leniently cannot be written, and need not be while nobody changes it.
      if (isSameJson(value, this.fromStored(before, key))) return before
      throw error
    }
    if (stored === before) return before
    const again = this.#writtenAgain(before, key)
    const codec: EdmCodec = edmCodecs[this.type]
    return again !== undefined && codec.writeJson(again) === codec.writeJson(stored)
      ? before
      : stored
  }

  #writtenAgain(before: EdmValue, key: EntityKey): EdmValue | undefined {
    const value = this.fromStored(before, key)
    try {
      return this.toStored(value, key)
    } catch {
      return undefined // it was read leniently, and a new value may take its place
    }
  }

  /**
   * What the member is to hold.
   *
   * @throws InputError (`ConversionFailed`) when the stored value does not tell
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
      throw conversionFailed({ property: this.#label, action, problem, cause })
    }
  }
}
