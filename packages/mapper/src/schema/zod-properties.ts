import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import {
  forms,
  isInt32Range,
  outputOfMissing,
  type PropertySchema,
  type ValueForm,
} from './property-schema.ts'

/** The part of a schema of zod 4 or zod mini that is used here. */
interface ZodSchema extends StandardSchema {
  readonly _zod: { readonly def: ZodDef; readonly bag: { readonly Class?: unknown } }
}

/** The definition of a schema; its type decides which members it has. */
interface ZodDef {
  readonly type: string
  readonly shape?: Readonly<Record<string, ZodSchema>>
  readonly format?: string
  readonly innerType?: ZodSchema
  readonly in?: ZodSchema
  readonly out?: ZodSchema
  readonly transform?: unknown
  readonly defaultValue?: unknown
  readonly options?: readonly ZodSchema[]
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDef } }[]
}

interface CheckDef {
  readonly check: string
  readonly format?: string
  readonly value?: unknown
}

const WHOLE: readonly (string | undefined)[] = ['safeint', 'int32', 'uint32']
const GUIDS: readonly (string | undefined)[] = ['guid', 'uuid']
const JSON_KINDS: ReadonlySet<string> = new Set(['array', 'object', 'record', 'tuple'])

/**
 * Reads the properties of a `z.object({ … })`.
 *
 * @param schema - any schema
 * @returns `undefined` for a schema of another kind or of another library
 */
export function zodProperties(
  schema: StandardSchema,
): ReadonlyMap<string, PropertySchema> | undefined {
  const { _zod: zod } = schema as Partial<ZodSchema>
  if (zod?.def.type !== 'object' || zod.def.shape === undefined) return undefined
  return new Map(
    Object.entries(zod.def.shape).map(([name, property]) => [
      name,
      {
        ...formOf(property),
        schema: property,
        initial: () => initialOf(property),
      },
    ]),
  )
}

function formOf({ _zod: { def, bag } }: ZodSchema): ValueForm {
  if (JSON_KINDS.has(def.type)) return forms.json
  switch (def.type) {
    case 'string':
      return forms.ofType(
        formatsOf(def).some((format) => GUIDS.includes(format)) ? 'Guid' : 'String',
      )
    case 'number':
      return forms.ofType(isInt32(def) ? 'Int32' : 'Double')
    case 'custom':
      return forms.ofClass(bag.Class) // z.instanceof leaves it
    case 'enum':
      return forms.ofValues(Object.values(def.entries ?? {}))
    case 'literal':
      return forms.ofValues(def.values ?? [])
    case 'union':
      return forms.ofAny((def.options ?? []).map(formOf))
    default: {
      const inner = innerOf(def)
      return inner === undefined ? forms.ofKind(def.type) : formOf(inner)
    }
  }
}

/** Returns the inner schema with the same values. */
function innerOf(def: ZodDef): ZodSchema | undefined {
  if (def.innerType !== undefined) return def.innerType
  // A transformation after the check could not be undone when the value is read.
  return def.type === 'pipe' && def.transform === undefined ? def.out : undefined
}

function initialOf(schema: ZodSchema): unknown {
  const { def } = schema._zod
  const isPreprocessed = def.in?._zod.def.type === 'transform'
  if (def.type === 'catch' || def.type === 'prefault' || isPreprocessed) {
    return outputOfMissing(schema)
  }
  if (def.type === 'default') return 'defaultValue' in def ? def.defaultValue : undefined
  if (def.type === 'optional') return undefined
  if (def.type === 'nullable') return null
  return def.innerType === undefined ? undefined : initialOf(def.innerType)
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
