import { type EdmType, inferEdmType } from '@rowkey/odata'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'

/** One property of an object schema, independent of the library. */
export interface PropertySchema extends ValueForm {
  /** Checks one value. */
  readonly schema: StandardSchema
  /** Makes the initial value of the property: its default, `null` or `undefined`. */
  initial(): unknown
}

/** How the values of a schema are stored. */
export interface ValueForm {
  /** The Edm type of its values; `undefined` when no single type stores them all, or they could not be read back. */
  readonly type: EdmType | undefined
  /** Whether its values are arrays or objects, which are stored as JSON text. */
  readonly isJson: boolean
}

const TYPES: Readonly<Record<string, EdmType>> = {
  string: 'String',
  template_literal: 'String',
  number: 'Double',
  nan: 'Double',
  bigint: 'Int64',
  boolean: 'Boolean',
  date: 'DateTime',
  Date: 'DateTime',
  Uint8Array: 'Binary',
  Buffer: 'Binary',
}

/** The forms of the values of schemas. */
export const forms = {
  /** The form of arrays and objects. */
  json: { type: undefined, isJson: true },

  /** Returns the form of values of one Edm type; without a type, of values that nothing stores. */
  ofType: (type?: EdmType): ValueForm => ({ type, isJson: false }),

  /** Returns the form of a kind of values by the name that the libraries give it. */
  ofKind: (kind: string): ValueForm =>
    forms.ofType(Object.hasOwn(TYPES, kind) ? TYPES[kind] : undefined),

  /** Returns the form of instances of a class: only Uint8Array and its subclasses are stored. */
  ofClass(given: unknown): ValueForm {
    const isBytes =
      typeof given === 'function' && (given === Uint8Array || given.prototype instanceof Uint8Array)
    return forms.ofType(isBytes ? 'Binary' : undefined)
  },

  /** Returns the form of some literal values. */
  ofValues: (values: readonly unknown[]): ValueForm =>
    forms.ofAny(values.map((value) => forms.ofType(inferEdmType(value)))),

  /** Returns the form of values that have one of several forms; Int32 and Double become Double. */
  ofAny(any: readonly ValueForm[]): ValueForm {
    const types = [...new Set(any.map(({ type }) => type))]
    const isNumber = types.every((type) => type === 'Int32' || type === 'Double')
    const common = isNumber ? 'Double' : undefined
    return {
      type: types.length > 1 ? common : types[0],
      isJson: any.length > 0 && any.every(({ isJson }) => isJson),
    }
  },
} as const

const MAX_INT32 = 2 ** 31 - 1

/** Whether every whole number between two bounds is an Int32. */
export function isInt32Range(least: number, most: number): boolean {
  return least >= -MAX_INT32 - 1 && most <= MAX_INT32
}

/** Returns what a schema makes of a missing value; `undefined` when it rejects that. */
export function outputOfMissing(schema: StandardSchema): unknown {
  const result = schema['~standard'].validate(undefined)
  return 'value' in result ? result.value : undefined
}
