import { checkMemberName } from './check-member-name.ts'
import { decodeProperty } from './decode-property.ts'
import type { BodyMembers } from './read-members.ts'
import type { StoredProperties, StoredProperty } from './stored-entity.ts'
import { isSystemProperty } from './system-property.ts'

const ANNOTATION = '@odata.type'

/**
 * The properties in a request body, in the order given; without nulls, which are never stored.
 * All names are looked at before any value.
 *
 * @throws ServiceFault of what no entity may hold
 */
export function decodeProperties(members: BodyMembers): StoredProperties {
  const names = Object.keys(members).filter(isProperty)
  for (const name of names) checkMemberName(name)
  const properties = new Map<string, StoredProperty>()
  const types = annotationsIn(members)
  for (const name of names) {
    const value = members[name]
    if (value !== null) properties.set(name, decodeProperty(name, value, types?.get(name)))
  }
  return properties
}

/** Not control information, not a key, and not the Timestamp, which only the service sets. */
function isProperty(name: string): boolean {
  return !isSystemProperty(name) && !name.endsWith(ANNOTATION) && !name.startsWith('odata.')
}

/** What the annotations say, by the names of their properties; `undefined` when there are none. */
function annotationsIn(members: BodyMembers): ReadonlyMap<string, unknown> | undefined {
  let types: Map<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    if (!name.endsWith(ANNOTATION)) continue
    types ??= new Map()
    types.set(name.slice(0, -ANNOTATION.length), members[name])
  }
  return types
}
