import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { type Members, membersIn } from '../model/members-in.ts'

/**
 * The members of an entity.
 *
 * @throws {@link ModelError} when it is no object
 */
export function membersOf(model: EntityModel<object>, entity: unknown): Members {
  if (typeof entity === 'object' && entity !== null) return membersIn(entity)
  throw new ModelError({
    className: model.title,
    problem:
      `An entity is an object, and ${describeKind(entity)} was given. Pass an instance of the ` +
      'class, or an object with its members.',
  })
}
