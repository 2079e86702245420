import type { EntityClass } from './entity-class.ts'
import type { EntityModel } from './entity-model.ts'

/** How a class or a model says which version of its entities it is, and how earlier ones become it. */
export interface VersionOptions<Earlier extends object = object, Next extends object = object> {
  /**
   * Which version this is, from 1. It is stored with every entity as an Int32; stored entities without
   * one count as version 1. Entities of a later version are rejected, by models without versions too.
   */
  readonly version?: number | undefined
  /**
   * The stored property that holds the version; the same in all versions.
   *
   * @defaultValue `'Version'`
   */
  readonly versionProperty?: string | undefined
  /**
   * The class or model of the version before, by 1. Without it, entities of earlier versions are refused:
   * once all of them were upgraded, earlier versions can be forgotten.
   */
  readonly previous?: EntityClass<Earlier> | EntityModel<Earlier, object, object> | undefined
  /**
   * Makes an entity of this version of one of the version before, when that is read. The keys must come out
   * the same. What it returns is checked as if it were written; nothing is sent.
   *
   * @param earlier - the entity as the version before reads it
   */
  migrate?(earlier: Earlier): Next
  /**
   * Returns the class or model of the version after, by 1, whose rows this version then reads as its own. It
   * is for a rolling deployment: first every program learns to read the next version and still writes its own,
   * then programs begin to write the next one.
   */
  readonly next?: (() => EntityClass<object> | EntityModel<object, object, object>) | undefined
  /**
   * Makes an entity of this version of one of the version after, when that is read. The keys must come out
   * the same. A write of it replaces the row by one of this version, and drops what only the later has.
   *
   * @param later - the entity as the version after reads it
   */
  migrateBack?(later: object): object
}

/** The names of {@link VersionOptions}. */
export const VERSION_OPTION_NAMES = [
  'version',
  'versionProperty',
  'previous',
  'migrate',
  'next',
  'migrateBack',
] as const
