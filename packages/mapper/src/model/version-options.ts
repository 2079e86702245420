import type { OptionNames } from '@rowkey/rest'
import type { EntityClass } from './entity-class.ts'
import type { EntityModel } from './entity-model.ts'

/** The version of a class or model, and how it reads rows of other versions. */
export interface VersionOptions<Earlier extends object = object, Next extends object = object> {
  /**
   * The number of this version, from 1. It is stored with every entity as an Int32; stored entities
   * without a number have version 1. Models, even those without versions, reject entities of a later
   * version.
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
  readonly next?: (() => EntityClass<object> | EntityModel<object, object, object>) | undefined
  /**
   * Converts an entity of the next version when it is read. The keys must stay the same. Writing it
   * replaces the row with one of this version, and drops properties that only the later version has.
   *
   * @param later - the entity as the next version reads it
   */
  migrateBack?(later: object): object
}

/** The names of {@link VersionOptions}. */
export const VERSION_OPTION_NAMES: OptionNames<VersionOptions> = {
  version: true,
  versionProperty: true,
  previous: true,
  migrate: true,
  next: true,
  migrateBack: true,
}
