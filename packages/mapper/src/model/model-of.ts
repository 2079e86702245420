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
 * The model of a decorated class, made at the first call and the same frozen object ever after.
 *
 * One instance is made, to see which fields the class has.
 *
 * @param entityClass - a class with `@PartitionKey` and `@RowKey` on two of its members
 * @throws {@link ModelError} when the class cannot be mapped: the message names the member, the
 * rule and the fix
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
        `A model is made from a class, and ${describeKind(entityClass)} was given. Pass the ` +
        'class itself, such as Customer.',
    })
  }
  const { create, sample } = makerOf(entityClass, readMetadata(entityClass))
  // Read again: some compilers' decorators know their class only once an instance exists.
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
