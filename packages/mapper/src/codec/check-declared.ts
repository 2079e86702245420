import { mapperInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { type Members, membersIn } from '../model/members-in.ts'

/**
 * Rejects an object with a value in a member that the model neither stores nor ignores, since a write would
 * lose it. Methods, and members without a value, are fine.
 *
 * @param model - the model
 * @param members - the object
 * @param declared - every member that the model stores or ignores
 * @throws InputError (`UndeclaredProperty`) naming the first undeclared member
 */
export function checkDeclared(
  model: EntityModel<object>,
  members: Readonly<Record<string, unknown>>,
  declared: ReadonlySet<string>,
): void {
  for (const member of Object.keys(members)) {
    if (declared.has(member)) continue
    const value = members[member]
    if (value === undefined || value === null || typeof value === 'function') continue
    throw mapperInputError({
      code: 'UndeclaredProperty',
      message: `${model.title}.${member} has a value, but ${undeclared(model)}`,
      details: { property: `${model.title}.${member}` },
    })
  }
}

function undeclared(model: EntityModel<object>): string {
  return model.class === undefined
    ? 'the model does not declare it, so it would not be stored. Add it to the schema, or remove it.'
    : 'the class does not declare it, so it would not be stored. Put @Property() on it to store it, or @Ignore() to leave it out.'
}

/**
 * Returns the members of an entity.
 *
 * @throws InputError (`InvalidEntity`) when it is not an object
 */
export function membersOf(model: EntityModel<object>, entity: unknown): Members {
  if (typeof entity === 'object' && entity !== null) return membersIn(entity)
  throw mapperInputError({
    code: 'InvalidEntity',
    message:
      `An entity of ${model.title} must be an object; got ${describeKind(entity)}. Pass an instance of the ` +
      'class, or an object with its members.',
  })
}
