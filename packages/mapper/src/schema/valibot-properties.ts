import type { EdmType } from '@rowkey/odata'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import {
  commonType,
  edmTypeOfValue,
  isBytesClass,
  isInt32Range,
  type PropertySchema,
} from './property-schema.ts'

/** The part of a schema of valibot 1 that is used here; its type decides which members it has. */
interface ValibotSchema extends StandardSchema {
  readonly kind: 'schema'
  readonly type: string
  readonly entries?: Readonly<Record<string, ValibotSchema>>
  readonly wrapped?: ValibotSchema
  readonly default?: unknown
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly class?: unknown
  readonly pipe?: readonly (ValibotSchema | PipeAction)[] | undefined
}

interface PipeAction {
  readonly kind: 'validation' | 'transformation' | 'metadata'
  readonly type: string
  readonly requirement?: unknown
}

/** Transformations whose result has the same type and does not change when it is transformed again. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'normalize',
  'readonly',
  'to_lower_case',
  'to_max_value',
  'to_min_value',
  'to_upper_case',
  'trim',
  'trim_end',
  'trim_start',
])
const JSON_KIND = /object|array|tuple|^record$/

/**
 * Reads the properties of a `v.object({ … })`.
 *
 * @param schema - any schema
 * @returns `undefined` for a schema of another kind or of another library
 */
export function valibotProperties(
  schema: StandardSchema,
): ReadonlyMap<string, PropertySchema> | undefined {
  const { kind, entries } = schema as Partial<ValibotSchema>
  if (kind !== 'schema' || entries === undefined) return undefined
  return new Map(
    Object.entries(entries).map(([name, property]) => [
      name,
      {
        kind: property.type,
        type: edmTypeOf(property),
        isJson: isJson(property),
        schema: property,
        initial: () => initialOf(property),
      },
    ]),
  )
}

/**
 * Returns the Edm type of a schema; `undefined` when no single type stores every value, or a stored value
 * could not be read back.
 */
function edmTypeOf(schema: ValibotSchema): EdmType | undefined {
  const [last, actions] = pipeOf(schema)
  if (!actions.every(isRepeatable)) return undefined
  const has = (...types: readonly string[]) => actions.some(({ type }) => types.includes(type))
  switch (last.type) {
    case 'string':
      return has('uuid', 'guid') ? 'Guid' : 'String'
    case 'number':
      return isInt32(actions) ? 'Int32' : 'Double'
    case 'nan':
      return 'Double'
    case 'bigint':
      return 'Int64'
    case 'boolean':
      return 'Boolean'
    case 'date':
      return 'DateTime'
    case 'instance':
      return isBytesClass(last.class) ? 'Binary' : undefined
    case 'literal':
      return edmTypeOfValue(last.literal)
    case 'picklist':
    case 'enum':
      return commonType((last.options ?? []).map(edmTypeOfValue))
    case 'union':
      return commonType((last.options ?? []).map((option) => edmTypeOf(option as ValibotSchema)))
    default:
      return last.wrapped && edmTypeOf(last.wrapped)
  }
}

function isJson(schema: ValibotSchema): boolean {
  const [last, actions] = pipeOf(schema)
  if (!actions.every(isRepeatable)) return false
  if (last.type === 'union' || last.type === 'variant') {
    return (last.options ?? []).every((option) => isJson(option as ValibotSchema))
  }
  return JSON_KIND.test(last.type) || (last.wrapped !== undefined && isJson(last.wrapped))
}

function initialOf(schema: ValibotSchema): unknown {
  const { type, wrapped, default: given } = schema
  if (wrapped === undefined) return undefined
  if (given !== undefined) return typeof given === 'function' ? given() : given
  if (type === 'nullable') return null
  return type === 'non_nullable' || type === 'non_nullish' ? initialOf(wrapped) : undefined
}

/** Returns the last schema of a pipe, and all of its actions. */
function pipeOf(schema: ValibotSchema): [ValibotSchema, readonly PipeAction[]] {
  const { pipe } = schema
  if (pipe === undefined) return [schema, []]
  const schemas = pipe.filter((item) => item.kind === 'schema')
  const actions = pipe.filter((item) => item.kind !== 'schema')
  const last = schemas.at(-1)
  // The first item of a pipe is the schema itself, without its pipe.
  return [last === undefined || last === pipe[0] ? { ...schema, pipe: undefined } : last, actions]
}

function isRepeatable({ kind, type }: PipeAction): boolean {
  return kind !== 'transformation' || REPEATABLE.has(type)
}

function isInt32(actions: readonly PipeAction[]): boolean {
  const requirements = (...types: readonly string[]) =>
    actions.flatMap(({ type, requirement }) => (types.includes(type) ? [Number(requirement)] : []))
  const isWhole = actions.some(({ type }) => type === 'integer' || type === 'safe_integer')
  const least = Math.max(...requirements('min_value', 'gt_value'))
  return isWhole && isInt32Range(least, Math.min(...requirements('max_value', 'lt_value')))
}
