import type { SchemaIssue } from '../errors/schema-error.ts'
import type { StandardResult } from '../standard-schema/standard-schema.ts'
import { type CodecShape, hasCodec, hasDefault, hasPartialDefault, type Place } from './place.ts'
import { isAbsent, isStoredAsFirst } from './value-form.ts'
import { isThrownFor } from './zod-shape.ts'

/**
 * Converts a shown value to the form that the schema takes in, by the codecs in it.
 *
 * @param report - receives the problems; a value with a problem stays as it is
 */
export function encode(
  place: Place,
  value: unknown,
  report?: (issue: SchemaIssue) => void,
  path = '',
): unknown {
  if (value === undefined || value === null || !hasCodec(place)) return value
  const { shape } = place
  const part = (of: Place, each: unknown, name: string) =>
    encode(of, each, report, path === '' ? name : `${path}.${name}`)
  switch (shape.kind) {
    case 'codec':
      return encoded(shape.encode, value, report, path)
    case 'inner':
      if (isStoredAsFirst(shape)) return encoded(shape.encode, value, report, path)
      return encode(shape.of, value, report, path)
    case 'both':
      return shape.sides.reduce<unknown>((all, side) => encode(side, all, report, path), value)
    case 'choice':
      return encodedBy(shape.options, value, report, path)
    case 'list':
      if (!Array.isArray(value)) return value
      return Array.from(value, (item, at) => {
        const of = shape.items[at] ?? shape.rest
        return of === undefined ? item : part(of, item, String(at))
      })
    case 'object': {
      if (typeof value !== 'object') return value
      const members = Object.entries(value).map(([name, member]) => {
        const of = shape.members.get(name) ?? shape.rest
        return [name, of === undefined ? member : part(of, member, name)] as const
      })
      return Object.fromEntries(members)
    }
    default:
      return value
  }
}

function encoded(
  run: CodecShape['encode'] | undefined,
  value: unknown,
  report: ((issue: SchemaIssue) => void) | undefined,
  path: string,
): unknown {
  if (run === undefined) return value
  const result = runSchema(() => run(value), path)
  if ('value' in result) return result.value
  for (const issue of result.issues) report?.(issue)
  return value
}

/** Encodes by the first option that accepts the result. */
function encodedBy(
  options: readonly Place[],
  value: unknown,
  report: ((issue: SchemaIssue) => void) | undefined,
  path: string,
): unknown {
  for (const option of options) {
    let isValid = true
    const made = encode(option, value, () => {
      isValid = false
    })
    if (isValid && 'value' in validate(option, made)) return made
  }
  const [only, other] = options.filter((option) => !isAbsent(option))
  // The problems of several options would contradict each other; the union reports its own.
  return only !== undefined && other === undefined ? encode(only, value, report, path) : value
}

/** A value that passed a schema, or its problems. */
export type Outcome = { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] }

/** The message for a schema whose function throws. */
export const THREW = 'a function of the schema threw an error'

/** Thrown for a schema with an asynchronous check. */
export class AsynchronousSchema extends Error {}

/**
 * Runs the schema of a place forwards: from what is stored to what is shown, or from what a caller gives. A default that is an
 * object passes the schema, too, because it may lack defaults of its own.
 */
export function validate(place: Place, value: unknown, path = ''): Outcome {
  const outcome = validateOnce(place, value, path)
  if ('issues' in outcome || !hasPartialDefault(place)) return outcome
  const whole = validateOnce(place, encode(place, outcome.value), path)
  return 'value' in whole ? whole : outcome
}

function validateOnce({ schema }: Place, value: unknown, path: string): Outcome {
  const run = () => {
    const result = schema['~standard'].validate(value)
    if (!(result instanceof Promise) || !isThrownFor(schema, value)) return result
    result.catch(() => {})
    return { issues: [{ message: THREW }] }
  }
  return runSchema(run, path)
}

function runSchema(
  run: () => StandardResult<unknown> | Promise<StandardResult<unknown>>,
  path: string,
): Outcome {
  let result: StandardResult<unknown> | Promise<StandardResult<unknown>>
  try {
    result = run()
  } catch {
    // Its message may quote the value.
    return { issues: [{ path, message: THREW }] }
  }
  if (result instanceof Promise) {
    result.catch(() => {})
    throw new AsynchronousSchema()
  }
  if (result.issues === undefined) return { value: result.value }
  const issues = result.issues.map(({ message, path: steps = [] }) => {
    const names = Array.from(steps, (step) => String(typeof step === 'object' ? step.key : step))
    return { path: [path, ...names].filter((name) => name !== '').join('.'), message }
  })
  return { issues }
}

/**
 * Runs the schema of a place on what is stored. A missing value that gets another value each time stays missing: a read
 * never invents one.
 */
export function show(place: Place, stored: unknown, path = ''): Outcome {
  const outcome = validate(place, stored, path)
  if ('issues' in outcome || !hasDefault(place)) return outcome
  return { value: withoutInvented(place, stored, outcome.value) }
}

/** Removes what a schema invented for missing values from its output. */
export function withoutInvented(place: Place, stored: unknown, shown: unknown): unknown {
  const { shape } = place
  if (!hasDefault(place)) return shown
  switch (shape.kind) {
    case 'inner':
      if (stored === undefined && shape.invents !== undefined) {
        // A default that is an object may lack what its own schema invents.
        return shape.invents() ? undefined : withoutInvented(shape.of, shape.initial?.(), shown)
      }
      return withoutInvented(shape.of, stored, shown)
    case 'both':
      return shape.sides.reduce((all, side) => withoutInvented(side, stored, all), shown)
    case 'choice': {
      const taken = shape.options.find((option) => 'value' in validate(option, stored))
      return taken === undefined ? shown : withoutInvented(taken, stored, shown)
    }
    case 'list':
      if (!Array.isArray(stored) || !Array.isArray(shown)) return shown
      return changed(shown, shown.keys(), (at) => {
        const of = shape.items[at] ?? shape.rest
        return of === undefined ? shown[at] : withoutInvented(of, stored[at], shown[at])
      })
    case 'object': {
      if (!isMembers(stored) || !isMembers(shown)) return shown
      return changed(shown, Object.keys(shown), (name) => {
        const of = shape.members.get(name) ?? shape.rest
        const before = Object.hasOwn(stored, name) ? stored[name] : undefined
        return of === undefined ? shown[name] : withoutInvented(of, before, shown[name])
      })
    }
    default:
      return shown
  }
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value with other parts; a copy, since the output of a schema may be frozen. */
function changed<Name extends string | number>(
  value: object,
  names: Iterable<Name>,
  partOf: (name: Name) => unknown,
): unknown {
  const parts = value as Readonly<Record<Name, unknown>>
  let copy: Record<Name, unknown> | undefined
  for (const name of names) {
    const part = partOf(name)
    if (Object.is(part, parts[name])) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<Name, unknown>
    if (part === undefined && !Array.isArray(copy)) delete copy[name]
    else copy[name] = part
  }
  return copy ?? value
}
