import { ModelError } from '../errors/model-error.ts'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { EntitySchema } from './entity-schema.ts'
import type { Drift, ReadRule, SchemaRule } from './schema-rule.ts'

/** The options of a model for its schema. */
export interface SchemaOptions {
  readonly schema?: StandardSchema | undefined
  readonly read?: ReadRule | undefined
  readonly onDrift?: ((drift: Drift) => void) | undefined
}

const READ_RULES: readonly unknown[] = ['strict', 'lenient', 'report'] satisfies ReadRule[]

/**
 * Makes the schema rule of a model.
 *
 * @throws {@link ModelError} when the schema is not an object schema of a known library, or the options
 * do not go together
 */
export function toSchemaRule(
  title: string,
  schema: StandardSchema,
  { read = 'strict', onDrift }: SchemaOptions,
): SchemaRule {
  const rule = { schema: new EntitySchema(title, schema), read, onDrift }
  const problem = problemOf(rule)
  if (problem !== undefined) throw new ModelError({ className: title, problem })
  return Object.freeze(rule)
}

function problemOf({ read, onDrift }: SchemaRule): string | undefined {
  if (!READ_RULES.includes(read)) {
    return `read must be 'strict', 'lenient' or 'report'; got '${String(read)}'.`
  }
  if ((read === 'report') === (typeof onDrift === 'function')) return undefined
  return "read: 'report' and an onDrift function belong together. Give both or neither."
}
