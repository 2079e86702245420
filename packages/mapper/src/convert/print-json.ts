import { describeKind } from '../errors/describe-kind.ts'
import { JsonValueError } from '../errors/json-value-error.ts'

/** Nobody nests values as deeply; what does is a ring. */
const MAX_DEPTH = 500

/**
 * A value as JSON text that gives the same value back.
 *
 * `JSON.stringify` turns NaN into null, a Date into text and a Map into `{}` without a word. Here what
 * JSON cannot hold is refused; members that are `undefined` are left out.
 *
 * @throws {@link JsonValueError} naming the place
 */
export function printJson(value: unknown): string {
  return printAt(value, [])
}

function printAt(value: unknown, path: readonly string[]): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      return printNumber(value, path)
    case 'object':
      return value === null ? 'null' : printObject(value, path)
    default:
      return refuse(value, path)
  }
}

function printNumber(value: number, path: readonly string[]): string {
  if (!Number.isFinite(value)) return refuse(value, path)
  return Object.is(value, -0) ? '-0' : String(value)
}

function printObject(value: object, path: readonly string[]): string {
  if (path.length > MAX_DEPTH) return refuse(value, path.slice(0, 3))
  if (Array.isArray(value)) {
    // Array.from sees holes, which would come back as null.
    return `[${Array.from(value, (item, at) => printAt(item, [...path, String(at)])).join(',')}]`
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  if (!isPlain) return refuse(value, path)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${printAt(member, [...path, name])}`)
  return `{${members.join(',')}}`
}

const FIXES: Readonly<Partial<Record<string, string>>> = {
  bigint: 'Readers would make a number of it, which is exact to 2^53 only: store it as text.',
  number: 'Leave it out, or store it as text.',
}

function refuse(value: unknown, path: readonly string[]): never {
  const place = path.length === 0 ? 'The value' : `${path.join('.')} of the value`
  const fix =
    FIXES[typeof value] ??
    'Give a plain object, an array, a string, a number, a boolean or null, or convert it with a z.codec.'
  throw new JsonValueError({
    path: path.join('.'),
    message: `${place} is ${describeKind(value)}, which JSON cannot hold. ${fix}`,
  })
}
