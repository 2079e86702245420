import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import {
  forms,
  isInt32Range,
  outputOfMissing,
  type PropertySchema,
  type ValueForm,
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
const GUIDS: ReadonlySet<string> = new Set(['guid', 'uuid'])
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
        ...formOf(property),
        schema: property,
        initial: () => initialOf(property),
      },
    ]),
  )
}

function formOf(schema: ValibotSchema): ValueForm {
  const [last, actions] = pipeOf(schema)
  if (!actions.every(isRepeatable)) return forms.ofType()
  const { type, wrapped, options = [] } = last
  if (JSON_KIND.test(type)) return forms.json
  switch (type) {
    case 'string':
      return forms.ofType(actions.some((action) => GUIDS.has(action.type)) ? 'Guid' : 'String')
    case 'number':
      return forms.ofType(isInt32(actions) ? 'Int32' : 'Double')
    case 'instance':
      return forms.ofClass(last.class)
    case 'literal':
      return forms.ofValues([last.literal])
    case 'picklist':
    case 'enum':
      return forms.ofValues(options)
    case 'union':
    case 'variant':
      return forms.ofAny(options.map((option) => formOf(option as ValibotSchema)))
    default:
      return wrapped === undefined ? forms.ofKind(type) : formOf(wrapped)
  }
}

function initialOf(schema: ValibotSchema): unknown {
  const { type, wrapped, default: given } = schema
  if ('fallback' in schema) return outputOfMissing(schema)
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
