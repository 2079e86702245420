import { type DynamicEntity, type EntityProperty, memberText } from '@rowkey/odata'
import { memberJson } from '../codec/stored-member.ts'

/** The properties that a class would write for an unchanged entity. */
export interface OwnMapping {
  /**
   * Whether the class could write the entity; if not, all properties count as those of other programs.
   */
  readonly isKnown: boolean
  /** The stored names that the class does not write: they belong to other programs. */
  readonly foreign: ReadonlySet<string>
  /** The JSON of the properties that it writes differently, or that were not stored, by stored name. */
  readonly defaults: ReadonlyMap<string, string>
}

/**
 * Compares the row that was just read with what the class would write for it. A merge must not store
 * values that the caller never set, and must not remove properties that the class never stored.
 *
 * @param map - returns the properties that the class writes
 * @param read - the row, or its selected part
 */
export function ownMapping(map: () => DynamicEntity, { properties }: DynamicEntity): OwnMapping {
  const known = mapped(map)
  const own = known ?? new Map<string, EntityProperty>()
  const defaults = new Map<string, string>()
  for (const [name, property] of own) {
    const member = memberOf(name, property)
    const before = properties.get(name)
    if (before === undefined || memberOf(name, before) !== member) defaults.set(name, member)
  }
  const foreign = new Set([...properties.keys()].filter((name) => !own.has(name)))
  return { isKnown: known !== undefined, foreign, defaults }
}

/** Writes one property as a member of a JSON object. */
export function memberOf(name: string, { type, value }: EntityProperty): string {
  return memberJson(memberText(name), type, value)
}

/**
 * Returns `undefined` when the entity cannot be written. A read ignores that; the next write reports it.
 */
function mapped(map: () => DynamicEntity): ReadonlyMap<string, EntityProperty> | undefined {
  try {
    return map().properties
  } catch {
    return undefined
  }
}
