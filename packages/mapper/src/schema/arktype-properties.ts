import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { forms, isInt32Range, type PropertySchema, type ValueForm } from './property-schema.ts'

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
        ...formOf(property.value),
        schema: type.get(property.key),
        initial: () => initialOf(property),
      },
    ]),
  )
}

function formOf(json: ArkJson): ValueForm {
  return forms.ofAny(present(branchesOf(json)).map(formOfBranch))
}

function formOfBranch(branch: ArkJson): ValueForm {
  const rules = rulesOf(branch)
  // A morph cannot be undone when the value is read.
  if (rules.morphs !== undefined) return forms.ofType()
  if ('unit' in rules) return forms.ofValues([rules.unit])
  const kind = nameOf(branch)
  if (kind === 'object' || kind === 'Array') return forms.json
  if (kind === 'number' && isInt32(rules)) return forms.ofType('Int32')
  return kind === 'string' && isGuid(rules) ? forms.ofType('Guid') : forms.ofKind(kind)
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

function initialOf({ value, default: given }: ArkProperty): unknown {
  // In this description other values are functions, or text for a Date.
  const isPlain = typeof given === 'number' || typeof given === 'boolean'
  if (isPlain || (typeof given === 'string' && formOf(value).type === 'String')) return given
  return branchesOf(value).some((branch) => rulesOf(branch).unit === null) ? null : undefined
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
