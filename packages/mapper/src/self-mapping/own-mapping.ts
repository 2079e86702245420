import { type DynamicEntity, type EntityProperty, memberText } from '@rowkey/odata'
import { memberJson } from '../codec/member-json.ts'

/** What a class stores of an entity that nobody changed since it was read. */
export interface OwnMapping {
  /** The class could store what was read; otherwise all of it counts as foreign. */
  readonly isKnown: boolean
  /** The stored names that it does not store: other programs do. */
  readonly foreign: ReadonlySet<string>
  /** The JSON of what it stores otherwise than it was read, or though it was not, by stored name. */
  readonly defaults: ReadonlyMap<string, string>
}

/**
 * Compares what a class stores of an entity that was just read with what was read: a merge must neither
 * store what nobody gave, nor take away what the class never stored.
 *
 * @param map - gives what the class stores
 * @param read - what was read, or the part of it that was selected
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

/** One property as a member of a JSON object. */
export function memberOf(name: string, { type, value }: EntityProperty): string {
  return memberJson(memberText(name), type, value)
}

/** Whoever reads an entity may not mind that it cannot be written; the next write tells. */
function mapped(map: () => DynamicEntity): ReadonlyMap<string, EntityProperty> | undefined {
  try {
    return map().properties
  } catch {
    return undefined
  }
}
