import type { SchemaIssue } from '../errors/schema-error.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { membersIn } from '../model/members-in.ts'

/** How well a plain object fits a model. */
export interface ObjectFit {
  /** The reasons why it is not an entity of the model. */
  readonly issues: readonly SchemaIssue[]
  /** The number of members that the model does not declare. */
  readonly undeclared: number
}

/**
 * Returns whether a plain object can be an entity of a model: the model declares all its members, and the
 * schema accepts them. Entities of a class are its instances, never plain objects.
 */
export function takesObject(model: EntityModel<object>, entity: object): boolean {
  const { schema } = model
  if (model.class !== undefined || schema === undefined) return false
  return (
    undeclaredIn(model, entity).length === 0 && 'values' in schema.schema.check(membersIn(entity))
  )
}

/**
 * Compares a plain object with a model, for an error.
 *
 * @returns `undefined` for a model of a class
 */
export function fitOf(model: EntityModel<object>, entity: object): ObjectFit | undefined {
  const { schema } = model
  if (model.class !== undefined || schema === undefined) return undefined
  const undeclared = undeclaredIn(model, entity)
  const outcome = schema.schema.check(membersIn(entity))
  const issues = [
    ...('issues' in outcome ? outcome.issues : []),
    ...undeclared.map((path) => ({ path, message: 'the model does not declare it' })),
  ]
  return { issues, undeclared: undeclared.length }
}

function undeclaredIn(model: EntityModel<object>, entity: object): string[] {
  const declared = new Set([...keyProperties(model), model.etag, model.timestamp])
  for (const { property } of model.columns) declared.add(property)
  return valuesIn(membersIn(entity)).filter((member) => !declared.has(member))
}

/** Returns whether an object has exactly the properties of a model's key. */
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
