import { mapperInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { type Members, membersIn } from '../model/members-in.ts'

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
