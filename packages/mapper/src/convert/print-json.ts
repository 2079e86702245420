import { mapperInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'
import { definedMembers, isPlainObject } from './same-json.ts'

/** A value that is nested more deeply is almost certainly a ring. */
const MAX_DEPTH = 500

/** The names and positions that lead to a part of a value. */
export type JsonPath = readonly string[]

/** Throws for a number that must not be written at a place. */
export type NumberCheck = (value: number, path: JsonPath) => void

/**
 * Writes a value as JSON text that reads back as the same value.
 *
 * `JSON.stringify` turns NaN into null, a Date into text and a Map into `{}` without an error. Here
 * values that JSON cannot hold are rejected; members that are `undefined` are left out.
 *
 * @param value - the value
 * @param path - where it stands in the whole value
 * @param checkNumber - sees every number
 * @throws InputError (`InvalidJsonValue`) naming the place
 */
export function printJson(value: unknown, path: JsonPath = [], checkNumber?: NumberCheck): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      checkNumber?.(value, path)
      return printNumber(value, path)
    case 'object':
      if (value === null) return 'null'
      return printParts(value, path, (part, name) => printJson(part, [...path, name], checkNumber))
    default:
      return reject(value, path)
  }
}

/**
 * Writes an object or an array as JSON text.
 *
 * @param printPart - writes a member or an element; the name of an element is its position
 * @throws InputError (`InvalidJsonValue`) when it is neither a plain object nor an array, or too deep
 */
export function printParts(
  value: object,
  path: JsonPath,
  printPart: (part: unknown, name: string) => string,
): string {
  if (path.length > MAX_DEPTH) return reject(value, path.slice(0, 3))
  // Array.from sees holes, which would come back as null.
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, at) => printPart(item, String(at))).join(',')}]`
  }
  if (!isPlainObject(value)) return reject(value, path)
  const members = definedMembers(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${printPart(member, name)}`,
  )
  return `{${members.join(',')}}`
}

/** Names a place in a value, for the beginning of a sentence. */
export function placeOf(path: JsonPath): string {
  return path.length === 0 ? 'The value' : `${path.join('.')} of the value`
}

function printNumber(value: number, path: JsonPath): string {
  if (!Number.isFinite(value)) return reject(value, path)
  return Object.is(value, -0) ? '-0' : String(value)
}

const FIXES: Readonly<Partial<Record<string, string>>> = {
  bigint: 'JSON has only numbers, which readers hold exactly up to 2^53. Store it as text.',
  number: 'Leave it out, or store it as text.',
}

function reject(value: unknown, path: JsonPath): never {
  const fix =
    FIXES[typeof value] ??
    'Give a plain object, an array, a string, a number, a boolean or null, or convert it with a z.codec.'
  throw mapperInputError({
    code: 'InvalidJsonValue',
    details: { path: path.join('.') },
    message: `${placeOf(path)} is ${describeKind(value)}, which JSON cannot hold. ${fix}`,
  })
}
