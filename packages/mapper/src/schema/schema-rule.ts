import type { EntityKey } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import type { SchemaIssue } from '../errors/schema-error.ts'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { EntitySchema } from './entity-schema.ts'

/** A stored entity that does not match the schema of its model. */
export interface Drift {
  /** The model with the schema. */
  readonly model: string
  /** The key of the entity. */
  readonly key: EntityKey
  /** The issues of the schema, one for each place. */
  readonly issues: readonly SchemaIssue[]
}

/**
 * The rule for a stored entity that does not match the schema: `strict` throws, `lenient` does not check,
 * and `report` calls `onDrift` and returns the entity as it is.
 */
export type ReadRule = 'strict' | 'lenient' | 'report'

/** The schema of a model, and the rule for stored entities that do not match it. */
export interface SchemaRule {
  /** The schema. */
  readonly schema: EntitySchema
  /** The rule for stored entities that do not match it. */
  readonly read: ReadRule
  /** Receives each of these entities when {@link SchemaRule.read} is `report`. */
  readonly onDrift: ((drift: Drift) => void) | undefined
}

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
