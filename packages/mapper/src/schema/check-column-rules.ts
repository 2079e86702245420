import { EncryptionKeys } from '../encryption/encryption-keys.ts'
import { ModelError } from '../errors/model-error.ts'
import type { ColumnRule, ColumnRules } from './column-rule.ts'

/** What the rules of columns must fit. */
export interface ColumnRuleContext {
  /** What messages call the model. */
  readonly title: string
  /** The properties of the schema. */
  readonly properties: ReadonlyMap<string, unknown>
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
  { encryption, plain }: ColumnRule,
  { properties, inKeys }: ColumnRuleContext,
): string | undefined {
  if (!properties.has(property)) {
    return 'columns has a rule for it, and the schema has no such property. Add it there.'
  }
  if (plain && encryption === undefined) return undefined
  if (!(encryption instanceof EncryptionKeys)) {
    return 'Its rule in columns says nothing. Use encrypted(encryptionKeys({ current, keys })).'
  }
  if (!inKeys.has(property)) return undefined
  return (
    'It is encrypted, and it is a part of the key, which is stored in the clear. Take it out of ' +
    'the key, or put a hash of it there.'
  )
}
