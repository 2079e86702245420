import type { EdmType } from '@rowkey/odata'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { commonType, edmTypeOfValue, isInt32Range, type PropertySchema } from './property-schema.ts'

/** The part of a type of arktype 2 that is used here. */
interface ArkType extends StandardSchema {
  /** Its description as JSON. */
  readonly json: ArkJson
  /** The type of a property. */
  get(name: string): ArkType
}

/** A type by name, a union of several, or its rules. */
type ArkJson = string | readonly ArkJson[] | ArkRules

interface ArkRules {
  readonly domain?: ArkJson
  readonly proto?: ArkJson
  readonly unit?: unknown
  readonly branches?: readonly ArkJson[]
  readonly pattern?: unknown
  readonly meta?: { readonly format?: string } | string
  readonly divisor?: ArkBound
  readonly min?: ArkBound
  readonly max?: ArkBound
  readonly morphs?: unknown
  readonly required?: readonly ArkProperty[]
  readonly optional?: readonly ArkProperty[]
}

type ArkBound = number | { readonly rule: number }

interface ArkProperty {
  readonly key: string
  readonly value: ArkJson
  readonly default?: unknown
}

const NAMED: Readonly<Record<string, EdmType>> = {
  string: 'String',
  number: 'Double',
  bigint: 'Int64',
  boolean: 'Boolean',
  Date: 'DateTime',
  Uint8Array: 'Binary',
  Buffer: 'Binary',
}

/**
 * Reads the properties of a `type({ … })`.
 *
 * @param schema - any schema
 * @returns `undefined` for a type of another kind or of another library
 */
export function arktypeProperties(
  schema: StandardSchema,
): ReadonlyMap<string, PropertySchema> | undefined {
  if (schema['~standard'].vendor !== 'arktype') return undefined
  const type = schema as ArkType
  const { required, optional } = rulesOf(type.json)
  if (required === undefined && optional === undefined) return undefined
  return new Map(
    [...(required ?? []), ...(optional ?? [])].map((property) => [
      property.key,
      {
        kind: kindOf(property.value),
        type: edmTypeOf(property.value),
        isJson: isJson(property.value),
        schema: type.get(property.key),
        initial: () => initialOf(property),
      },
    ]),
  )
}

/**
 * Returns the Edm type of a type; `undefined` when no single type stores every value, or a stored value
 * could not be read back.
 */
function edmTypeOf(json: ArkJson): EdmType | undefined {
  const branches = present(branchesOf(json))
  if (branches.length !== 1) return commonType(branches.map(edmTypeOf))
  const [only] = branches
  if (only === undefined) return undefined
  const rules = rulesOf(only)
  // A morph cannot be undone when the value is read.
  if (rules.morphs !== undefined) return undefined
  if ('unit' in rules) return edmTypeOfValue(rules.unit)
  const type = NAMED[nameOf(only)]
  if (type === 'Double' && isInt32(rules)) return 'Int32'
  return type === 'String' && isGuid(rules) ? 'Guid' : type
}

/** Without `null` and `undefined`, which are stored as absent. */
function present(branches: readonly ArkJson[]): readonly ArkJson[] {
  const isAbsent = ({ unit }: ArkRules): boolean => unit === null || unit === 'undefined'
  const given = branches.filter((branch) => !isAbsent(rulesOf(branch)))
  // arktype lists the Guids of only zeros and only ones separately.
  return given.some((branch) => isGuid(rulesOf(branch)))
    ? given.filter((branch) => !('unit' in rulesOf(branch)))
    : given
}

function branchesOf(json: ArkJson): readonly ArkJson[] {
  if (Array.isArray(json)) return json
  return rulesOf(json).branches ?? [json]
}

function isJson(json: ArkJson): boolean {
  const branches = present(branchesOf(json))
  return (
    branches.length > 0 &&
    branches.every((branch) => {
      const { morphs } = rulesOf(branch)
      return morphs === undefined && ['object', 'Array'].includes(nameOf(branch))
    })
  )
}

function initialOf({ value, default: given }: ArkProperty): unknown {
  // In this description other values are functions, or text for a Date.
  const isPlain = typeof given === 'number' || typeof given === 'boolean'
  if (isPlain || (typeof given === 'string' && edmTypeOf(value) === 'String')) return given
  return branchesOf(value).some((branch) => rulesOf(branch).unit === null) ? null : undefined
}

function kindOf(json: ArkJson): string {
  const kinds = branchesOf(json).map((branch) =>
    rulesOf(branch).morphs ? 'morph' : nameOf(branch),
  )
  return [...new Set(kinds)].join(' | ')
}

function rulesOf(json: ArkJson | undefined): ArkRules {
  return typeof json === 'object' && !Array.isArray(json) ? (json as ArkRules) : {}
}

/** The JavaScript type or class of a branch: `string`, `Date`, `object`. */
function nameOf(json: ArkJson): string {
  if (typeof json === 'string') return json
  const { domain, proto } = rulesOf(json)
  const named = proto ?? domain
  if (typeof named === 'string') return named
  return named === undefined ? 'value' : nameOf(named)
}

function isGuid(rules: ArkRules): boolean {
  const { meta, pattern } = rules
  const format = typeof meta === 'object' ? meta.format : undefined
  return format === 'uuid' && pattern !== undefined
}

function isInt32({ divisor, min, max }: ArkRules): boolean {
  if (divisor === undefined || min === undefined || max === undefined) return false
  return Number.isInteger(boundOf(divisor)) && isInt32Range(boundOf(min), boundOf(max))
}

function boundOf(bound: ArkBound): number {
  return typeof bound === 'number' ? bound : bound.rule
}
