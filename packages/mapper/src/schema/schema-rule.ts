import type { EntityKey } from '@rowkey/odata'
import type { SchemaIssue } from '../errors/schema-error.ts'
import type { EntitySchema } from './entity-schema.ts'

/** A stored entity that does not match the schema of its model. */
export interface Drift {
  /** The model whose schema it is. */
  readonly model: string
  /** Which entity. */
  readonly key: EntityKey
  /** What the schema does not take, one for each place. */
  readonly issues: readonly SchemaIssue[]
}

/**
 * What is done with a stored entity that does not match the schema: `strict` throws, `lenient` does not
 * look, `report` tells `onDrift` and gives the entity as it is.
 */
export type ReadRule = 'strict' | 'lenient' | 'report'

/** The schema of a model, and what is done when a stored entity does not match it. */
export interface SchemaRule {
  /** The schema. */
  readonly schema: EntitySchema
  /** What is done when a stored entity does not match it. */
  readonly read: ReadRule
  /** Is told of each, when {@link SchemaRule.read} is `report`. */
  readonly onDrift: ((drift: Drift) => void) | undefined
}
