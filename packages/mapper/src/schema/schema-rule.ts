import type { EntityKey } from '@rowkey/odata'
import type { SchemaIssue } from '../errors/schema-error.ts'
import type { EntitySchema } from './entity-schema.ts'

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
