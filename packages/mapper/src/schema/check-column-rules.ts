import { EDM_TYPES, isEdmType } from '@rowkey/odata'
import { isConverter } from '../convert/converter.ts'
import { isEncryptionKeys } from '../encryption/is-encryption-keys.ts'
import { ModelError } from '../errors/model-error.ts'
import { hasCodec, type Place } from '../place/place.ts'
import { formOf } from '../place/value-form.ts'
import type { ColumnRule, ColumnRules, Series } from './column-rule.ts'

/** The most properties of an entity, besides its keys and Timestamp. */
const MOST_SLOTS = 252

/** The model that the rules of columns belong to. */
export interface ColumnRuleContext {
  /** The name of the model in messages. */
  readonly title: string
  /** The properties of the schema. */
  readonly properties: ReadonlyMap<string, Place>
  /** The properties in the keys. */
  readonly inKeys: ReadonlySet<string>
}

/**
 * Checks that each rule fits its property.
 *
 * @throws {@link ModelError} for the first rule that does not
 */
export function checkColumnRules(rules: ColumnRules, context: ColumnRuleContext): void {
  for (const [property, rule] of Object.entries(rules)) {
    if (rule === undefined) continue
    const problem = problemOf(property, rule, context)
    if (problem === undefined) continue
    throw new ModelError({ className: context.title, property, problem })
  }
}

function problemOf(
  property: string,
  { encryption, plain, type, converter, chunkType, series, ...unknown }: ColumnRule,
  { properties, inKeys }: ColumnRuleContext,
): string | undefined {
  const place = properties.get(property)
  const inKey = inKeys.has(property)
  const form = type ?? converter ?? chunkType ?? series
  if (place === undefined) {
    return 'columns has a rule for it, but it is missing in the schema. Add it to the schema.'
  }
  if (plain && encryption !== undefined) {
    return 'It is both plain() and encrypted(…), so it would be stored encrypted. Keep one of them.'
  }
  const isEmpty = !plain && form === undefined && encryption === undefined
  const isUnknown = Object.keys(unknown).length > 0
  if (isEmpty || isUnknown || (encryption !== undefined && !isEncryptionKeys(encryption))) {
    return "Its rule in columns is empty or has an unknown member. Use converted(…), longText(), longBytes(), series(…), { type: 'Int64' } or encrypted(encryptionKeys({ current, keys }))."
  }
  if (inKey && encryption !== undefined) {
    return (
      'It is encrypted, but also a part of the key, which is never encrypted. Remove it from ' +
      'the key, or use a hash of it there.'
    )
  }
  if (converter !== undefined && !isConverter(converter)) {
    return 'converted() needs a converter: an Edm type, and the functions toStored and fromStored.'
  }
  if (inKey && form !== undefined) {
    return 'It is a part of the key, so the key decides how it is stored. Remove its rule from columns.'
  }
  if (series !== undefined) {
    const isAlone = form === series && encryption === undefined
    return isAlone ? seriesProblem(series, place) : 'A series has no other rule. Keep one.'
  }
  const { type: storedType } = formOf(place)
  const isNumber = storedType === 'Double' || storedType === 'Int32'
  if (type !== undefined && (type !== 'Int64' || !isNumber || (converter ?? chunkType))) {
    return "Its rule has a type, which is only for a number without another rule: { type: 'Int64' }."
  }
  const stored = converter?.type ?? storedType
  if (chunkType === undefined || stored === chunkType) return undefined
  return `Its rule cuts ${chunkType} values, but it is stored as ${stored ?? 'an unknown type'}. Remove that from the rule.`
}

function seriesProblem({ type, slots }: Series, place: Place): string | undefined {
  if (!isEdmType(type)) {
    return `series('${String(type)}', …) has an unknown Edm type. Use one of ${EDM_TYPES.join(', ')}.`
  }
  if (!Number.isInteger(slots) || slots < 1 || slots > MOST_SLOTS) {
    return `series('${type}', ${String(slots)}) needs a whole number of values from 1 to ${MOST_SLOTS}.`
  }
  if (!formOf(place).isJson || hasCodec(place)) {
    return 'It is a series, and its schema is not an array of plain values. Declare it as z.array(z.int32().optional()), for example.'
  }
  return undefined
}
