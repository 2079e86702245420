import { anything, type OptionRules } from '@rowkey/odata'
import type { EntityClass } from './entity-class.ts'
import type { EntityModel } from './entity-model.ts'

/** The version of a class or model, and how it reads rows of other versions. */
export interface VersionOptions<
  Earlier extends object = object,
  Next extends object = object,
  Following extends LaterFunction = LaterFunction,
  Back extends LaterFunction = LaterFunction,
> {
  /**
   * The number of this version, from 1. It is stored with every entity as an Int32; stored entities
   * without a number have version 1. A model with a version rejects entities of a later version; so give a model that may
   * change a version from the start. A model without one reads every row.
   */
  readonly version?: number | undefined
  /**
   * The stored property with the number; the same in all versions.
   *
   * @defaultValue `'Version'`
   */
  readonly versionProperty?: string | undefined
  /**
   * The class or model of the previous version, whose number is one less. Without it, entities of earlier
   * versions are rejected: remove earlier versions after all rows were upgraded.
   */
  readonly previous?: EntityClass<Earlier> | EntityModel<Earlier, object, object> | undefined
  /**
   * Converts an entity of the previous version when it is read. The keys must stay the same. The result
   * is checked like an entity that is written; nothing is sent.
   *
   * @param earlier - the entity as the previous version reads it
   */
  migrate?(earlier: Earlier): Next
  /**
   * Returns the class or model of the next version, whose number is one more. This version then reads
   * rows of the next one. Use it for a rolling deployment: first every program learns to read the next
   * version, then programs begin to write it.
   */
  readonly next?: Following | undefined
  /**
   * Converts an entity of the next version when it is read. The keys must stay the same. A write of the
   * entity leaves the row in the next version. The changes are migrated with `migrate` of the next version,
   * and everything else in the row stays. So both functions must give the same result each time.
   *
   * In `defineEntity`, give the argument the type of the later schema, because the compiler cannot infer it from a model
   * that names this one: `(later: z.output<typeof laterOrder>) => …`.
   */
  readonly migrateBack?: Back | undefined
}

/**
 * A function of a version that names a later one. The later version names this one as its `previous`, so
 * the compiler must not need the type of either for that of the other. It does not look into a function
 * that it assigns to this type.
 */
// biome-ignore lint/suspicious/noExplicitAny: only this type has that effect
export type LaterFunction = (...args: any[]) => any

/** The model checks the values. */
export const versionRules: OptionRules<VersionOptions> = {
  version: anything,
  versionProperty: anything,
  previous: anything,
  migrate: anything,
  next: anything,
  migrateBack: anything,
}
