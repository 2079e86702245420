import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from '../model/entity-model.ts'

/** An entity's members by name; every object has them. */
export type Members = Record<string, unknown>

/**
 * The members of an entity.
 *
 * @throws {@link ModelError} when it is no object
 */
export function membersOf(model: EntityModel<object>, entity: unknown): Members {
  if (typeof entity === 'object' && entity !== null) return entity as Members
  throw new ModelError({
    className: model.title,
    problem:
      `An entity is an object, and ${describeKind(entity)} was given. Pass an instance of the ` +
      'class, or an object with its members.',
  })
}
