import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
} from '../standard-schema/standard-schema.ts'
import { defaultOf, outputOfMissing } from './invents.ts'
import type { InnerShape, Place, Shape, ValueShape } from './place.ts'
import { instanceShape, isInt32Range, literalShape, valueShape } from './shapes.ts'

/** The part of a schema of zod 4 or zod mini that is used here. */
interface ZodSchema extends StandardSchema {
  /** Missing in zod mini, whose schemas have no methods. */
  readonly safeEncode?: (value: unknown) => ZodResult
  readonly _zod: {
    readonly def: ZodDef
    readonly bag: { readonly Class?: unknown }
    readonly values?: ReadonlySet<unknown>
    run(payload: ZodPayload, context: object): ZodPayload | Promise<ZodPayload>
  }
}

/** The definition of a schema; its type decides which members it has. */
interface ZodDef {
  readonly type: string
  readonly shape?: Readonly<Record<string, ZodSchema>>
  readonly catchall?: ZodSchema
  readonly coerce?: boolean
  readonly format?: string
  readonly innerType?: ZodSchema
  readonly in?: ZodSchema
  readonly out?: ZodSchema
  readonly left?: ZodSchema
  readonly right?: ZodSchema
  readonly element?: ZodSchema
  readonly items?: readonly ZodSchema[]
  readonly rest?: ZodSchema | null
  readonly keyType?: ZodSchema
  readonly valueType?: ZodSchema
  readonly getter?: () => ZodSchema
  readonly reverseTransform?: unknown
  readonly defaultValue?: unknown
  readonly options?: readonly ZodSchema[]
  readonly values?: readonly unknown[]
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDef } }[]
}

interface CheckDef {
  readonly check: string
  readonly format?: string
  readonly value?: unknown
}

interface ZodPayload {
  readonly value: unknown
  readonly issues: readonly (Partial<StandardIssue> & { readonly code?: string })[]
}

type ZodResult =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly StandardIssue[] } }

const WHOLE: readonly (string | undefined)[] = ['safeint', 'int32', 'uint32']
const GUIDS: readonly (string | undefined)[] = ['guid', 'uuid']

/**
 * Returns the shape of a schema of zod 4 or zod mini.
 *
 * @param given - the schema
 * @param placeOf - returns the place of a schema in it
 */
export function zodShape(given: StandardSchema, placeOf: (part: StandardSchema) => Place): Shape {
  const schema = given as ZodSchema
  const { def } = schema._zod
  const shape = shapeOf(schema, placeOf)
  // Trimming and the like; the library does not tell one from another.
  if (!(def.checks ?? []).some((check) => check._zod.def.check === 'overwrite')) return shape
  if (shape.kind === 'value') return { ...shape, isNormal: true, isOpaque: true }
  return { kind: 'inner', of: { schema, shape }, isNormal: true, isOpaque: true }
}

function shapeOf(schema: ZodSchema, placeOf: (part: StandardSchema) => Place): Shape {
  const { def, bag, values } = schema._zod
  const placeOfOne = (part: ZodSchema | null | undefined) =>
    part === undefined || part === null ? undefined : placeOf(part)
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape ?? {}).map(
        ([name, member]) => [name, placeOf(member)] as const,
      )
      const isStrict = def.catchall?._zod.def.type === 'never'
      const rest = isStrict ? undefined : placeOfOne(def.catchall)
      return { kind: 'object', members: new Map(members), rest }
    }
    case 'record':
      return {
        kind: 'object',
        members: new Map(),
        names: placeOfOne(def.keyType),
        rest: placeOfOne(def.valueType),
      }
    case 'array':
      return { kind: 'list', items: [], rest: placeOfOne(def.element) }
    case 'tuple':
      return { kind: 'list', items: (def.items ?? []).map(placeOf), rest: placeOfOne(def.rest) }
    case 'union':
      return { kind: 'choice', options: (def.options ?? []).map(placeOf) }
    case 'intersection':
      return {
        kind: 'both',
        sides: [def.left, def.right].flatMap((side) => placeOfOne(side) ?? []),
      }
    case 'enum':
      return literalShape([...(values ?? [])])
    case 'literal':
      return literalShape(def.values ?? [])
    case 'string':
      return leafShape(
        def,
        formatsOf(def).some((format) => GUIDS.includes(format)) ? 'Guid' : 'String',
      )
    case 'number':
      return leafShape(def, isInt32(def) ? 'Int32' : 'Double')
    case 'custom':
      return bag.Class === undefined ? valueShape('custom') : instanceShape(bag.Class) // z.instanceof leaves it
    case 'lazy':
      return { kind: 'inner', of: placeOf(def.getter?.() ?? schema) }
    case 'pipe':
      return pipeOf(schema, placeOf)
    case 'transform':
    case 'success':
    case 'promise':
      return { kind: 'oneWay' }
    default:
      return def.innerType === undefined
        ? leafShape(def)
        : { kind: 'inner', of: placeOf(def.innerType), ...wrapperOf(schema) }
  }
}

function leafShape(def: ZodDef, type?: ValueShape['type']): ValueShape {
  const coerced = def.coerce && ({ takes: 'any', isNormal: true } as const)
  return valueShape(def.type, { ...(type && { type }), ...coerced })
}

/** What a schema around another one adds to it. */
function wrapperOf(schema: ZodSchema): Partial<InnerShape> {
  const { def } = schema._zod
  switch (def.type) {
    case 'optional':
      return { absent: ['undefined'] }
    case 'nullable':
      return { absent: ['null'] }
    case 'default':
      return { ...defaultOf(() => def.defaultValue) }
    case 'prefault':
      return { ...outputOfMissing(schema) }
    case 'catch':
      return { takes: 'any', isNormal: true, ...outputOfMissing(schema) }
    default:
      return {}
  }
}

function pipeOf(schema: ZodSchema, placeOf: (part: StandardSchema) => Place): Shape {
  const { in: first, out, reverseTransform } = schema._zod.def
  if (first === undefined || out === undefined) return { kind: 'oneWay' }
  const encode = (value: unknown) => encodeBy(schema, value)
  if (reverseTransform !== undefined) {
    return { kind: 'codec', stored: placeOf(first), shown: placeOf(out), encode }
  }
  if (out._zod.def.type === 'transform') return { kind: 'oneWay' }
  if (first._zod.def.type !== 'transform') {
    return { kind: 'inner', of: placeOf(out), first: placeOf(first), encode }
  }
  const steps = { takes: 'any', isNormal: true, isOpaque: true } as const
  return { kind: 'inner', of: placeOf(out), ...steps, ...outputOfMissing(schema) }
}

/**
 * Whether a function of a schema of zod throws for a value: zod then runs the schema again as an asynchronous one.
 *
 * @param schema - a schema of any library
 */
export function isThrownFor(schema: StandardSchema, value: unknown): boolean {
  const { _zod: zod } = schema as Partial<ZodSchema>
  try {
    const outcome = zod?.run({ value, issues: [] }, { async: false })
    if (outcome instanceof Promise) outcome.catch(() => {})
    return false
  } catch (error) {
    return !String(error).includes('Encountered Promise')
  }
}

/** Runs a schema backwards, from what it gives out to what it takes in. */
function encodeBy(
  schema: ZodSchema,
  value: unknown,
): StandardResult<unknown> | Promise<StandardResult<unknown>> {
  const result = schema.safeEncode?.(value)
  if (result !== undefined) {
    return result.success ? { value: result.data } : { issues: result.error.issues }
  }
  const outcome = schema._zod.run({ value, issues: [] }, { async: false, direction: 'backward' })
  return outcome instanceof Promise ? outcome.then(resultOf) : resultOf(outcome)
}

/** Messages of zod mini come from a part of zod that is not loaded here. */
function resultOf({ value, issues }: ZodPayload): StandardResult<unknown> {
  if (issues.length === 0) return { value }
  return {
    issues: issues.map(({ message, code = 'invalid', path }) => ({
      message: message ?? code,
      path,
    })),
  }
}

function formatsOf(def: ZodDef): readonly (string | undefined)[] {
  return [def.format, ...(def.checks ?? []).map((check) => check._zod.def.format)]
}

/** Whether every value is an Int32: by `z.int32()`, or whole and between bounds. */
function isInt32(def: ZodDef): boolean {
  const formats = formatsOf(def)
  if (formats.includes('int32')) return true
  if (!formats.some((format) => WHOLE.includes(format))) return false
  const checks = (def.checks ?? []).map((check) => check._zod.def)
  const bounds = (kind: string) =>
    checks.flatMap(({ check, value }) => (check === kind ? [Number(value)] : []))
  const least = Math.max(...bounds('greater_than'), formats.includes('uint32') ? 0 : -Infinity)
  return isInt32Range(least, Math.min(...bounds('less_than')))
}
