import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { defaultOf } from './invents.ts'
import type { Place, Shape } from './place.ts'
import { instanceShape, isInt32Range, literalShape, valueShape } from './shapes.ts'
import { givenBy } from './value-form.ts'

/** The part of a node of arktype 2 that is used here; every type is one. */
interface ArkNode extends StandardSchema {
  readonly kind: string
  readonly inner: ArkInner
  readonly branches?: readonly ArkNode[]
  /** What the name of an alias stands for. */
  readonly resolution?: ArkNode
}

interface ArkInner {
  readonly domain?: string | ArkNode
  readonly proto?: unknown
  readonly unit?: unknown
  readonly in?: ArkNode
  readonly declaredOut?: ArkNode
  readonly pattern?: readonly ArkNode[]
  readonly divisor?: ArkBound
  readonly min?: ArkBound
  readonly max?: ArkBound
  readonly structure?: ArkStructure
}

interface ArkBound {
  readonly rule: number
}

interface ArkStructure {
  readonly inner: {
    readonly required?: readonly ArkProperty[]
    readonly optional?: readonly ArkProperty[]
    readonly index?: readonly { readonly signature: ArkNode; readonly value: ArkNode }[]
    readonly sequence?: { readonly inner: ArkSequence }
  }
}

interface ArkProperty {
  readonly kind: string
  readonly key: string
  readonly value: ArkNode
  readonly inner: { readonly default?: unknown }
}

interface ArkSequence {
  readonly prefix?: readonly ArkNode[]
  readonly optionals?: readonly ArkNode[]
  readonly defaultables?: readonly (readonly [ArkNode, unknown])[]
  readonly variadic?: ArkNode
  readonly postfix?: readonly ArkNode[]
}

/**
 * Returns the shape of a type of arktype 2.
 *
 * @param given - the type
 * @param placeOf - returns the place of a type in it
 */
export function arktypeShape(
  given: StandardSchema,
  placeOf: (part: StandardSchema) => Place,
): Shape {
  const node = given as ArkNode
  const { inner } = node
  switch (node.kind) {
    case 'alias':
      return node.resolution === undefined
        ? valueShape('unknown')
        : { kind: 'inner', of: placeOf(node.resolution) }
    case 'union':
      return unionShape(node.branches ?? [], placeOf)
    case 'unit':
      return literalShape([inner.unit])
    case 'morph':
      return morphShape(inner, placeOf)
    case 'domain':
      return domainShape(inner.domain as string, placeOf)
    case 'proto':
      return protoShape(inner.proto, placeOf)
    case 'intersection':
      return intersectionShape(inner, placeOf)
    default:
      return valueShape(node.kind)
  }
}

function unionShape(branches: readonly ArkNode[], placeOf: (part: StandardSchema) => Place): Shape {
  // arktype lists the Guids of only zeros and only ones separately.
  const isText = ({ inner }: ArkNode) => typeof inner.unit === 'string'
  const isListed = branches.some(({ inner }) => isGuid(inner))
  const options = branches.filter((branch) => !(isListed && isText(branch)))
  return { kind: 'choice', options: options.map(placeOf) }
}

/** Keywords such as `string.trim` declare what they return; the functions of callers do not. */
function morphShape(
  { in: taken, declaredOut }: ArkInner,
  placeOf: (part: StandardSchema) => Place,
): Shape {
  if (taken === undefined || declaredOut === undefined) return { kind: 'oneWay' }
  const [first, of] = [placeOf(taken), placeOf(declaredOut)]
  const isText = [first, of].every((place) => {
    const kinds = givenBy(place)
    return kinds !== 'any' && kinds.size === 1 && kinds.has('string')
  })
  return isText ? { kind: 'inner', of, first, isNormal: true, isOpaque: true } : { kind: 'oneWay' }
}

function domainShape(domain: string, placeOf: (part: StandardSchema) => Place): Shape {
  if (domain !== 'object') return valueShape(domain)
  return { kind: 'object', members: new Map(), rest: placeOf(ANYTHING) }
}

function protoShape(proto: unknown, placeOf: (part: StandardSchema) => Place): Shape {
  if (proto === Array) return { kind: 'list', items: [], rest: placeOf(ANYTHING) }
  return proto === Date ? valueShape('date') : instanceShape(proto)
}

/** Any value; a part that arktype leaves as it is. */
const ANYTHING: ArkNode = {
  kind: 'unknown',
  inner: {},
  '~standard': { version: 1, vendor: 'arktype', validate: (value) => ({ value }) },
}

function intersectionShape(inner: ArkInner, placeOf: (part: StandardSchema) => Place): Shape {
  const { domain, proto, structure } = inner
  if (structure !== undefined) return structureShape(structure, placeOf)
  if (proto !== undefined) return protoShape(innerOf(proto, 'proto'), placeOf)
  if (domain === undefined) return valueShape('unknown')
  const name = innerOf(domain, 'domain') as string
  if (name === 'number' && isInt32(inner)) return valueShape(name, { type: 'Int32' })
  if (name === 'string' && isGuid(inner)) return valueShape(name, { type: 'Guid' })
  return domainShape(name, placeOf)
}

/** A rule of an intersection is a node, or what that node holds. */
function innerOf(rule: unknown, name: 'domain' | 'proto'): unknown {
  const { inner } = Object(rule) as Partial<ArkNode>
  return inner === undefined ? rule : inner[name]
}

function structureShape(
  { inner: { required = [], optional = [], index, sequence } }: ArkStructure,
  placeOf: (part: StandardSchema) => Place,
): Shape {
  if (sequence !== undefined) {
    const { prefix = [], optionals = [], defaultables = [], variadic, postfix } = sequence.inner
    const items = [...prefix, ...defaultables.map(([item]) => item), ...optionals].map(placeOf)
    // Of the elements after those of any number nothing is known but that one of these places fits.
    const rests = [variadic, ...(postfix ?? [])].flatMap((each) => (each ? [placeOf(each)] : []))
    const [rest, other] = rests
    if (rest === undefined || other === undefined) return { kind: 'list', items, rest }
    const shape = { kind: 'choice', options: rests } as const
    return { kind: 'list', items, rest: { schema: ANYTHING, shape } }
  }
  const members = [...required, ...optional].map(
    (property) => [property.key, propertyPlace(property, placeOf(property.value))] as const,
  )
  const [named] = index ?? []
  return {
    kind: 'object',
    members: new Map(members),
    ...(named && { names: placeOf(named.signature), rest: placeOf(named.value) }),
  }
}

/** arktype keeps a default, and whether a property may be missing, beside the type of its values. */
function propertyPlace({ kind, inner }: ArkProperty, of: Place): Place {
  if (kind !== 'optional') return of
  const given = inner.default
  const make = () => (typeof given === 'function' ? given() : given)
  const validate = (value: unknown) =>
    value === undefined ? { value: make() } : of.schema['~standard'].validate(value)
  return {
    schema: { '~standard': { version: 1, vendor: 'arktype', validate } },
    shape: {
      kind: 'inner',
      of,
      ...(given === undefined ? { absent: ['undefined'] } : { ...defaultOf(make) }),
    },
  }
}

function isGuid({ pattern }: ArkInner): boolean {
  return (pattern ?? []).some((each) => {
    const { meta } = each as { meta?: unknown }
    return (Object(meta) as { format?: unknown }).format === 'uuid'
  })
}

function isInt32({ divisor, min, max }: ArkInner): boolean {
  if (divisor === undefined || min === undefined || max === undefined) return false
  return Number.isInteger(divisor.rule) && isInt32Range(min.rule, max.rule)
}
