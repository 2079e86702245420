import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { defaultOf, outputOfMissing } from './invents.ts'
import type { InnerShape, Place, Shape } from './place.ts'
import { instanceShape, isInt32Range, literalShape, valueShape } from './shapes.ts'

/** The part of a schema of valibot 1 that is used here; its type decides which members it has. */
interface ValibotSchema extends StandardSchema {
  readonly kind: 'schema'
  readonly type: string
  readonly entries?: Readonly<Record<string, ValibotSchema>>
  readonly wrapped?: ValibotSchema
  readonly item?: ValibotSchema
  readonly items?: readonly ValibotSchema[]
  readonly rest?: ValibotSchema
  readonly key?: ValibotSchema | string
  readonly value?: ValibotSchema
  readonly getter?: (input: unknown) => ValibotSchema
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

/** Transformations that only change types, or freeze. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['brand', 'flavor', 'readonly'])

/** Transformations whose result has the same type and does not change when it is transformed again. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'normalize',
  'to_lower_case',
  'to_max_value',
  'to_min_value',
  'to_upper_case',
  'trim',
  'trim_end',
  'trim_start',
])

/** Transformations to a kind of values, which leave values of that kind as they are. */
const CONVERSIONS: ReadonlyMap<string, string> = new Map([
  ['to_bigint', 'bigint'],
  ['to_boolean', 'boolean'],
  ['to_date', 'date'],
  ['to_number', 'number'],
  ['to_string', 'string'],
])
const GUIDS: ReadonlySet<string> = new Set(['guid', 'uuid'])
const LOOSE: ReadonlySet<string> = new Set(['loose_object', 'loose_tuple'])

/**
 * Returns the shape of a schema of valibot 1.
 *
 * @param given - the schema
 * @param placeOf - returns the place of a schema in it
 */
export function valibotShape(
  given: StandardSchema,
  placeOf: (part: StandardSchema) => Place,
): Shape {
  const schema = given as ValibotSchema
  if (!('fallback' in schema)) return pipeShape(schema, placeOf)
  const steps = { takes: 'any', isNormal: true, ...outputOfMissing(schema) } as const
  return { kind: 'inner', of: { schema, shape: pipeShape(schema, placeOf) }, ...steps }
}

/** The shape of the last schema of a pipe, with all that the values pass before it. */
function pipeShape(schema: ValibotSchema, placeOf: (part: StandardSchema) => Place): Shape {
  // The first item of a pipe is the schema itself, without its pipe.
  const [, ...items] = schema.pipe ?? []
  const actions = items.filter((item) => item.kind !== 'schema') as readonly PipeAction[]
  let shape = shapeOf(schema, actions, placeOf)
  const append = (next: Place) => {
    shape = { kind: 'inner', of: next, first: { schema, shape } }
  }
  for (const item of items) {
    if (item.kind === 'schema') append({ schema: item, shape: withActions(item, actions, placeOf) })
    if (item.kind !== 'transformation' || WITHOUT_EFFECT.has(item.type)) continue
    const kind = CONVERSIONS.get(item.type)
    if (REPEATABLE.has(item.type)) shape = { kind: 'inner', of: { schema, shape }, isNormal: true }
    else if (kind === undefined) return { kind: 'oneWay' }
    else append({ schema, shape: valueShape(kind, { takes: 'any', isNormal: true }) })
  }
  return shape
}

/** Later checks of a pipe tell more about the values of a schema in it. */
function withActions(
  schema: ValibotSchema,
  actions: readonly PipeAction[],
  placeOf: (part: StandardSchema) => Place,
): Shape {
  return schema.pipe === undefined ? shapeOf(schema, actions, placeOf) : placeOf(schema).shape
}

function shapeOf(
  schema: ValibotSchema,
  actions: readonly PipeAction[],
  placeOf: (part: StandardSchema) => Place,
): Shape {
  const { type, wrapped, entries, rest, options = [] } = schema
  const more = rest ?? (LOOSE.has(type) ? ANYTHING : undefined)
  const restPlace = more && placeOf(more)
  if (entries !== undefined) {
    const members = Object.entries(entries).map(([name, each]) => [name, placeOf(each)] as const)
    return { kind: 'object', members: new Map(members), rest: restPlace }
  }
  if (wrapped !== undefined) return { kind: 'inner', of: placeOf(wrapped), ...wrapperOf(schema) }
  if (type === 'object' || type.endsWith('_object')) {
    return { kind: 'object', members: new Map(), rest: restPlace }
  }
  switch (type) {
    case 'record':
      return {
        kind: 'object',
        members: new Map(),
        names: placeOf(schema.key as ValibotSchema),
        rest: placeOf(schema.value as ValibotSchema),
      }
    case 'array':
      return { kind: 'list', items: [], rest: placeOf(schema.item as ValibotSchema) }
    case 'tuple':
    case 'loose_tuple':
    case 'strict_tuple':
    case 'tuple_with_rest':
      return { kind: 'list', items: (schema.items ?? []).map(placeOf), rest: restPlace }
    case 'string':
      return valueShape(type, {
        type: actions.some((action) => GUIDS.has(action.type)) ? 'Guid' : 'String',
      })
    case 'number':
      return valueShape(type, { type: isInt32(actions) ? 'Int32' : 'Double' })
    case 'instance':
      return instanceShape(schema.class)
    case 'literal':
      return literalShape([schema.literal])
    case 'picklist':
    case 'enum':
      return literalShape(options)
    case 'union':
    case 'variant':
      return { kind: 'choice', options: (options as readonly ValibotSchema[]).map(placeOf) }
    case 'intersect':
      return { kind: 'both', sides: (options as readonly ValibotSchema[]).map(placeOf) }
    case 'lazy':
      return { kind: 'inner', of: placeOf(schema.getter?.(undefined) ?? ANYTHING) }
    default:
      return valueShape(type)
  }
}

/** The values that a loose object or tuple leaves as they are. */
const ANYTHING: ValibotSchema = {
  kind: 'schema',
  type: 'unknown',
  '~standard': { version: 1, vendor: 'valibot', validate: (value) => ({ value }) },
}

/** What a schema around another one adds to it. */
function wrapperOf({ type, default: given }: ValibotSchema): Partial<InnerShape> {
  const isNullable = type === 'nullable' || type === 'nullish'
  const absent = [
    ...(isNullable ? (['null'] as const) : []),
    ...(type.startsWith('non_') || type === 'nullable' ? [] : (['undefined'] as const)),
  ]
  if (given === undefined) return { absent }
  return { absent, ...defaultOf(() => (typeof given === 'function' ? given() : given)) }
}

function isInt32(actions: readonly PipeAction[]): boolean {
  const requirements = (...types: readonly string[]) =>
    actions.flatMap(({ type, requirement }) => (types.includes(type) ? [Number(requirement)] : []))
  const isWhole = actions.some(({ type }) => type === 'integer' || type === 'safe_integer')
  const least = Math.max(...requirements('min_value', 'gt_value'))
  return isWhole && isInt32Range(least, Math.min(...requirements('max_value', 'lt_value')))
}
