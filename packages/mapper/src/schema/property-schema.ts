import type { EdmType } from '@rowkey/odata'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'

/** One property of an object schema, independent of the library. */
export interface PropertySchema {
  /** The library's name for the kind of schema, for messages. */
  readonly kind: string
  /** The Edm type of its values; `undefined` when no single type stores them all. */
  readonly type: EdmType | undefined
  /** Whether its values are arrays or objects, which are stored as JSON text. */
  readonly isJson: boolean
  /** Checks one value. */
  readonly schema: StandardSchema
  /** Makes the initial value of the property: its default, `null` or `undefined`. */
  initial(): unknown
}

const MAX_INT32 = 2 ** 31 - 1

/** Whether every whole number between two bounds is an Int32. */
export function isInt32Range(least: number, most: number): boolean {
  return least >= -MAX_INT32 - 1 && most <= MAX_INT32
}

/** Returns the Edm type of one value of a schema. */
export function edmTypeOfValue(value: unknown): EdmType | undefined {
  switch (typeof value) {
    case 'string':
      return 'String'
    case 'number':
      return Number.isInteger(value) && isInt32Range(value, value) ? 'Int32' : 'Double'
    case 'bigint':
      return 'Int64'
    case 'boolean':
      return 'Boolean'
    default:
      return undefined
  }
}

/** Returns the common Edm type of several types; Int32 and Double become Double. */
export function commonType(types: readonly (EdmType | undefined)[]): EdmType | undefined {
  const [first] = types
  if (types.every((type) => type === first)) return first
  return types.every((type) => type === 'Int32' || type === 'Double') ? 'Double' : undefined
}

/** Whether a class is Uint8Array or a subclass. */
export function isBytesClass(given: unknown): boolean {
  return (
    typeof given === 'function' && (given === Uint8Array || given.prototype instanceof Uint8Array)
  )
}
