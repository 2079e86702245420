import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import { checkModel } from './check-model.ts'
import { checkRules } from './check-rules.ts'
import type { EntityClass } from './entity-class.ts'
import type { EntityModel } from './entity-model.ts'
import { modelFrom } from './model-from.ts'
import { type ClassMetadata, readMetadata } from './read-metadata.ts'
import { bindLifetime } from './row-lifetime.ts'
import { toDiscriminator } from './to-discriminator.ts'
import { toModelVersion } from './to-model-version.ts'
import type { VersionOptions } from './version-options.ts'

const models = new WeakMap<object, EntityModel<object>>()

/**
 * Returns the model of a decorated class. It is made at the first call; later calls return the same
 * frozen object.
 *
 * It makes one instance to find the fields of the class.
 *
 * @param entityClass - a class with `@PartitionKey` and `@RowKey` on two of its members
 * @throws {@link ModelError} when the class cannot be mapped: the message names the member, the rule and
 * the fix
 *
 * @example
 * ```ts
 * modelOf(Customer).columns.map((column) => column.name)   // ['cea', 'points', 'since']
 * ```
 */
export function modelOf<Entity extends object>(
  entityClass: EntityClass<Entity>,
): EntityModel<Entity> {
  let model = models.get(entityClass)
  if (model === undefined) {
    model = buildModel(entityClass)
    models.set(entityClass, model)
  }
  return model as EntityModel<Entity> // kept under the class it was built from
}

function buildModel(entityClass: EntityClass<object>): EntityModel<object> {
  if (typeof entityClass !== 'function') {
    throw new ModelError({
      className: '',
      problem:
        `modelOf needs a class, but got ${describeKind(entityClass)}. Pass the ` +
        'class itself, such as Customer.',
    })
  }
  const { create, sample } = makerOf(entityClass, readMetadata(entityClass))
  // Read again: with some compilers, decorators know their class only after the first instance.
  const metadata = readMetadata(entityClass)
  checkDecorated(entityClass.name, metadata)
  checkRules(entityClass.name, metadata.members)
  const { versioned = {}, discriminator } = metadata
  const { name: title } = entityClass
  const unbound = modelFrom(entityClass, metadata, create, sample)
  const model = Object.freeze({
    ...unbound,
    lifetime: bindLifetime(metadata.lifetime, unbound),
    discriminator: toDiscriminator(title, discriminator),
    version: toModelVersion(title, versioned, previousOf(versioned)),
  })
  checkModel(model, sample)
  return model
}

/** Decorators leave no trace in the type of a class, so the compiler accepts a class without them. */
function checkDecorated(
  className: string,
  { name, members, partitionKey, rowKey }: ClassMetadata,
): void {
  if (members.size > 0 || name !== undefined || partitionKey || rowKey) return
  throw new ModelError({
    className,
    problem:
      "The class has no decorators. Put @Entity('people') on it, and @PartitionKey() and @RowKey() on two of its " +
      'properties; without decorator syntax, call decorate(). For rows of any shape, open the table by its name.',
  })
}

function previousOf({ previous }: VersionOptions): EntityModel<object> | undefined {
  return typeof previous === 'function' ? modelOf(previous) : previous
}

/** Makes instances of a class. */
interface Maker {
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
