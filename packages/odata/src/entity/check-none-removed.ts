import { PropertyValueError } from '../errors/property-value-error.ts'
import type { DynamicEntity } from './dynamic-entity.ts'
import type { EntityMembers } from './entity-members.ts'
import { parseEntityObject } from './parse-entity-object.ts'
import { readProperty } from './read-property.ts'

/**
 * Refuses to merge an entity that has no property any more where one is stored: a merge would leave it
 * there without a word.
 *
 * @param entity - the entity
 * @param stored - what is stored of it, as far as it was read
 * @throws {@link PropertyValueError} naming the first such property
 */
export function checkNoneRemoved({ properties }: DynamicEntity, stored: EntityMembers): void {
  for (const [name, member] of stored) {
    if (properties.has(name)) continue
    throw new PropertyValueError({
      property: name,
      type: readProperty(parseEntityObject(`{${member}}`), name)?.type ?? 'String', // it has one
      message: `'${name}' is stored and was deleted from the entity: a merge cannot remove a property. Use replace, or modify, or give it a value.`,
    })
  }
}
