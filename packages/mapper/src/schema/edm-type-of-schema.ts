import type { EdmType } from '@rowkey/odata'
import type { $ZodType, $ZodTypeDef } from 'zod/v4/core'

/** What matters here of the definition of any zod schema: which members it has depends on its type. */
interface SchemaDef {
  readonly type: $ZodTypeDef['type']
  readonly format?: string
  readonly innerType?: $ZodType
  readonly in?: $ZodType
  readonly out?: $ZodType
  readonly transform?: unknown
  readonly options?: readonly $ZodType[]
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDef } }[]
}

interface CheckDef {
  readonly check: string
  readonly format?: string
  readonly value?: unknown
}

const MAX_INT32 = 2 ** 31 - 1
const WHOLE: readonly (string | undefined)[] = ['safeint', 'int32', 'uint32']
const GUIDS: readonly (string | undefined)[] = ['guid', 'uuid']

/**
 * The Edm type that the values of a schema are stored as.
 *
 * @returns `undefined` when no one type takes them all, or the stored value could not be read back
 */
export function edmTypeOfSchema(schema: $ZodType): EdmType | undefined {
  const def = defOf(schema)
  switch (def.type) {
    case 'string':
      return formatsOf(def).some((format) => GUIDS.includes(format)) ? 'Guid' : 'String'
    case 'template_literal':
      return 'String'
    case 'number':
      return isInt32(def) ? 'Int32' : 'Double'
    case 'bigint':
      return 'Int64'
    case 'boolean':
      return 'Boolean'
    case 'date':
      return 'DateTime'
    case 'custom':
      return isBytes(schema) ? 'Binary' : undefined
    case 'enum':
      return commonType(Object.values(def.entries ?? {}).map(edmTypeOfValue))
    case 'literal':
      return commonType((def.values ?? []).map(edmTypeOfValue))
    case 'union':
      return commonType((def.options ?? []).map(edmTypeOfSchema))
    default:
      return edmTypeWithin(def)
  }
}

/** What a schema is said to be; core publishes it under this name. */
export function defOf(schema: $ZodType): SchemaDef {
  return schema._zod.def as SchemaDef // the members that a type lacks are undefined
}

/** Of a schema around another one. */
function edmTypeWithin(def: SchemaDef): EdmType | undefined {
  if (def.innerType !== undefined) return edmTypeOfSchema(def.innerType)
  // A transformation after the check cannot be undone when the value is read; one before it need not be.
  if (def.type !== 'pipe' || def.transform !== undefined || def.out === undefined) return undefined
  return edmTypeOfSchema(def.out)
}

function formatsOf(def: SchemaDef): readonly (string | undefined)[] {
  return [def.format, ...(def.checks ?? []).map((check) => check._zod.def.format)]
}

/** Whether every value is known to fit: by `z.int32()`, or whole and between bounds. */
function isInt32(def: SchemaDef): boolean {
  const formats = formatsOf(def)
  if (formats.includes('int32')) return true
  if (!formats.some((format) => WHOLE.includes(format))) return false
  const checks = (def.checks ?? []).map((check) => check._zod.def)
  const isLow =
    formats.includes('uint32') ||
    checks.some(isBound('greater_than', (value) => value >= -MAX_INT32 - 1))
  return isLow && checks.some(isBound('less_than', (value) => value <= MAX_INT32))
}

function isBound(kind: string, holds: (value: number) => boolean): (def: CheckDef) => boolean {
  return ({ check, value }) => check === kind && typeof value === 'number' && holds(value)
}

function isBytes(schema: $ZodType): boolean {
  const { Class: base } = schema._zod.bag // z.instanceof leaves it
  return typeof base === 'function' && (base === Uint8Array || base.prototype instanceof Uint8Array)
}

function edmTypeOfValue(value: unknown): EdmType | undefined {
  switch (typeof value) {
    case 'string':
      return 'String'
    case 'number':
      return Number.isInteger(value) && Math.abs(value) <= MAX_INT32 ? 'Int32' : 'Double'
    case 'bigint':
      return 'Int64'
    case 'boolean':
      return 'Boolean'
    default:
      return undefined
  }
}

/** Of several types the one they share; whole numbers fit among others. */
function commonType(types: readonly (EdmType | undefined)[]): EdmType | undefined {
  const [first] = types
  if (types.every((type) => type === first)) return first
  return types.every((type) => type === 'Int32' || type === 'Double') ? 'Double' : undefined
}
