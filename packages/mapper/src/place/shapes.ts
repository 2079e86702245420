import type { EdmType } from '@rowkey/odata'
import { inferEdmType } from '@rowkey/odata'
import type { Kind, ValueShape } from './place.ts'
import { commonForm } from './value-form.ts'

const KINDS: Readonly<Record<string, readonly [Kind, EdmType]>> = {
  string: ['string', 'String'],
  template_literal: ['string', 'String'],
  number: ['number', 'Double'],
  nan: ['nan', 'Double'],
  bigint: ['bigint', 'Int64'],
  boolean: ['boolean', 'Boolean'],
  date: ['date', 'DateTime'],
  Date: ['date', 'DateTime'],
  Uint8Array: ['bytes', 'Binary'],
  Buffer: ['bytes', 'Binary'],
}

const ANY: ReadonlySet<string> = new Set(['any', 'unknown', 'custom'])

/** Returns the shape of a kind of values by the name that the libraries give it. */
export function valueShape(name: string, further: Partial<ValueShape> = {}): ValueShape {
  if (ANY.has(name)) return { kind: 'value', gives: 'any' }
  if (name === 'null') return { kind: 'value', gives: new Set(['null']) }
  if (name === 'undefined' || name === 'void') {
    return { kind: 'value', gives: new Set(['undefined']) }
  }
  const [kind, type] = (Object.hasOwn(KINDS, name) && KINDS[name]) || (['other'] as const)
  return { kind: 'value', gives: new Set([kind]), type, ...further }
}

/** Returns the shape of instances of a class: only Uint8Array and its subclasses are stored. */
export function instanceShape(given: unknown): ValueShape {
  const isBytes =
    typeof given === 'function' && (given === Uint8Array || given.prototype instanceof Uint8Array)
  return valueShape(isBytes ? 'Uint8Array' : 'instance')
}

/** Returns the shape of some literal values. */
export function literalShape(values: readonly unknown[]): ValueShape {
  const kindOf = (value: unknown): Kind => (value === null ? 'null' : (typeof value as Kind))
  const present = values.filter((value) => value !== null && value !== undefined)
  const types = present.map((value) => ({ type: inferEdmType(value), isJson: false }))
  return { kind: 'value', gives: new Set(values.map(kindOf)), type: commonForm(types).type }
}

const MAX_INT32 = 2 ** 31 - 1

/** Whether every whole number between two bounds is an Int32. */
export function isInt32Range(least: number, most: number): boolean {
  return least >= -MAX_INT32 - 1 && most <= MAX_INT32
}
