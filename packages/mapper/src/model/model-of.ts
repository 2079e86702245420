import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import { checkModel } from './check-model.ts'
import { checkRules } from './check-rules.ts'
import type { EntityClass } from './entity-class.ts'
import type { EntityModel } from './entity-model.ts'
import { makerOf } from './maker-of.ts'
import { modelFrom } from './model-from.ts'
import { readMetadata } from './read-metadata.ts'
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
  checkRules(entityClass.name, metadata.members)
  const { versioned = {}, discriminator } = metadata
  const { name: title } = entityClass
  const model = Object.freeze({
    ...modelFrom(entityClass, metadata, create, sample),
    discriminator: toDiscriminator(title, discriminator),
    version: toModelVersion(title, versioned, previousOf(versioned)),
  })
  checkModel(model, sample)
  return model
}

function previousOf({ previous }: VersionOptions): EntityModel<object> | undefined {
  return typeof previous === 'function' ? modelOf(previous) : previous
}
