import { isConverter } from '../convert/converter.ts'
import { isEncryptionKeys } from '../encryption/is-encryption-keys.ts'
import { ModelError } from '../errors/model-error.ts'
import type { ColumnRule, ColumnRules } from './column-rule.ts'
import type { PropertySchema } from './property-schema.ts'

/** What the rules of columns must fit. */
export interface ColumnRuleContext {
  /** What messages call the model. */
  readonly title: string
  /** The properties of the schema. */
  readonly properties: ReadonlyMap<string, PropertySchema>
  /** The properties that a key holds. */
  readonly inKeys: ReadonlySet<string>
}

/**
 * Checks that each rule is about a property that can follow it.
 *
 * @throws {@link ModelError} for the first that is not
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
  rule: ColumnRule,
  { properties, inKeys }: ColumnRuleContext,
): string | undefined {
  const { encryption, plain, converter, chunkType } = rule
  const schema = properties.get(property)
  if (schema === undefined) {
    return 'columns has a rule for it, and the schema has no such property. Add it there.'
  }
  const isFormed = plain || converter !== undefined || chunkType !== undefined
  if (!isFormed || encryption !== undefined) {
    if (!isEncryptionKeys(encryption)) {
      return 'Its rule in columns says nothing. Use encrypted(encryptionKeys({ current, keys })).'
    }
    if (inKeys.has(property)) {
      return (
        'It is encrypted, and it is a part of the key, which is stored in the clear. Take it out of ' +
        'the key, or put a hash of it there.'
      )
    }
  }
  return formProblem(rule, schema, inKeys.has(property))
}

function formProblem(
  { converter, chunkType }: ColumnRule,
  schema: PropertySchema,
  inKey: boolean,
): string | undefined {
  if (converter !== undefined && !isConverter(converter)) {
    return 'converted() needs a converter: an Edm type, and the functions toStored and fromStored.'
  }
  if (inKey && (converter ?? chunkType) !== undefined) {
    return 'It is a part of the key, and stored as the key says. Remove its rule from columns.'
  }
  const type = converter?.type ?? schema.type
  if (chunkType === undefined || type === chunkType) return undefined
  return `Only ${chunkType} values are cut so, and this one is stored as ${type ?? 'nothing known'}. Remove that from its rule.`
}
