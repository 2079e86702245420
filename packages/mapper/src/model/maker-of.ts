import { ModelError } from '../errors/model-error.ts'
import type { EntityClass } from './entity-class.ts'
import type { ClassMetadata } from './read-metadata.ts'

/** How instances of a class are made, and one made so. */
export interface Maker {
  readonly create: () => object
  readonly sample: object
}

/**
 * Finds how to make an instance of a class, and tries it once.
 *
 * @throws {@link ModelError} when the class cannot be made without arguments
 */
export function makerOf(entityClass: EntityClass<object>, metadata: ClassMetadata): Maker {
  const className = entityClass.name
  if (metadata.inheritsCreate) {
    throw new ModelError({
      className,
      problem:
        'A base class makes its instances by @Entity({ create }), which would make the base ' +
        'class here. Give this class an @Entity of its own, with or without create.',
    })
  }
  // A class that is abstract, or needs arguments, is told below.
  const concrete = entityClass as unknown as new () => object
  const create = metadata.create ?? (() => new concrete())
  try {
    const sample = create()
    if (sample instanceof entityClass) return { create, sample }
  } catch (cause) {
    throw new ModelError({
      className,
      problem:
        'Making an instance threw. Reading an entity makes one without arguments: let the ' +
        'constructor work so, or say @Entity({ name, create: () => … }).',
      cause,
    })
  }
  throw new ModelError({
    className,
    problem: 'create() made something that is not an instance of the class. Return one.',
  })
}
