import { ModelError } from '../errors/model-error.ts'
import type { EntityClass } from './entity-class.ts'
import type { ClassMetadata } from './read-metadata.ts'

/** Makes instances of a class. */
export interface Maker {
  readonly create: () => object
  readonly sample: object
}

/**
 * Finds a way to make instances of a class, and makes one.
 *
 * @throws {@link ModelError} when the class cannot be made without arguments
 */
export function makerOf(entityClass: EntityClass<object>, metadata: ClassMetadata): Maker {
  const className = entityClass.name
  if (metadata.inheritsCreate) {
    throw new ModelError({
      className,
      problem:
        'A base class makes its instances with @Entity({ create }), which would make instances of the base ' +
        'class here. Give this class an @Entity of its own, with or without create.',
    })
  }
  // An abstract class, or one that needs arguments, fails below.
  const concrete = entityClass as unknown as new () => object
  const create = metadata.create ?? (() => new concrete())
  try {
    const sample = create()
    if (sample instanceof entityClass) return { create, sample }
  } catch (cause) {
    throw new ModelError({
      className,
      problem:
        'The constructor threw without arguments, which is how a read calls it. Make the ' +
        'arguments optional, or use @Entity({ name, create: () => … }).',
      cause,
    })
  }
  throw new ModelError({
    className,
    problem: 'create() must return an instance of the class.',
  })
}
