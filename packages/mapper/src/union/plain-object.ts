import type { EntityModel } from '../model/entity-model.ts'
import { membersIn } from '../model/members-in.ts'

/** Whether a plain object can be an entity of a model: it has no other properties, and its schema takes it. */
export function takesObject(model: EntityModel<object>, entity: object): boolean {
  // An object that is not of a class is none of its entities.
  if (model.class !== undefined || model.schema === undefined) return false
  const declared = new Set([...keyProperties(model), model.etag, model.timestamp])
  for (const { property } of model.columns) declared.add(property)
  const members = membersIn(entity)
  if (!valuesIn(members).every((member) => declared.has(member))) return false
  return 'values' in model.schema.schema.check(members)
}

/** Whether an object holds the properties of a model's key, and nothing else. */
export function holdsKeyOf(model: EntityModel<object>, target: object): boolean {
  const members = valuesIn(membersIn(target))
  const properties = keyProperties(model)
  return members.length === properties.size && members.every((member) => properties.has(member))
}

function keyProperties({ partitionKey, rowKey }: EntityModel<object>): Set<string> {
  return new Set([...partitionKey.properties, ...rowKey.properties])
}

/** Members with a value; methods do not count. */
function valuesIn(members: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(members).filter((member) => {
    const value = members[member]
    return value !== undefined && value !== null && typeof value !== 'function'
  })
}
