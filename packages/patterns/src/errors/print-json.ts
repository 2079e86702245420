import { InputError } from '@rowkey/odata'
import { invalidPatternOption } from './codes.ts'

/**
 * Prints a value that is stored as JSON text, and rejects what JSON would drop or change without a word. A member that
 * is `undefined` is left out, as it reads the same, and a Date becomes text.
 *
 * @param value - the value
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`) with the path of a value that JSON cannot hold
 */
export function printJson(value: unknown, place: string): string {
  const paths = new WeakMap<object, string>()
  function checked(this: object, name: string, each: unknown): unknown {
    const holder = paths.get(this)
    const path = holder === undefined ? '' : pathIn(this, holder, name)
    const isLeftOut = each === undefined && holder !== undefined && !Array.isArray(this)
    const lost = isLeftOut ? undefined : lossOf(Reflect.get(this, name), each)
    if (lost !== undefined) throw notJson(place, path === '' ? lost : `${lost} at ${path}`)
    if (typeof each === 'object' && each !== null) paths.set(each, path)
    return each
  }
  try {
    return JSON.stringify(value, checked)
  } catch (error) {
    if (error instanceof InputError) throw error
    throw notJson(place, 'an object that contains itself, or whose toJSON fails')
  }
}

function pathIn(holder: object, path: string, name: string): string {
  if (Array.isArray(holder)) return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/** Classes whose objects JSON prints as `{}`. */
const PRINTED_EMPTY = [Map, Set, Promise, Error, RegExp] as const

/** Names what JSON would lose of a value; `undefined` when it loses nothing. */
function lossOf(given: unknown, printed: unknown): string | undefined {
  if (printed === undefined) return 'undefined'
  if (typeof printed === 'number' && !Number.isFinite(printed)) return String(printed)
  if (typeof printed === 'function' || typeof printed === 'symbol') return `a ${typeof printed}`
  if (typeof printed === 'bigint') return 'a bigint'
  if (given instanceof Date && printed === null) return 'an invalid Date'
  const empty = PRINTED_EMPTY.find((each) => printed instanceof each)
  if (empty !== undefined) return `a value of class ${empty.name}`
  return ArrayBuffer.isView(given) || given instanceof ArrayBuffer ? 'bytes' : undefined
}

function notJson(place: string, lost: string): InputError {
  return invalidPatternOption(
    `${place} must be a value that JSON can hold, not ${lost}. Use null for no value, text for bigints and bytes, and arrays for Maps and Sets.`,
  )
}
