import { bindTimes } from './bind-times.ts'
import { checkModel, checkSpread } from './check-model.ts'
import type { EntityModel } from './entity-model.ts'
import { toDiscriminator } from './marks-of.ts'
import type { ModelOptions } from './model-options.ts'
import { bindLifetime } from './row-lifetime.ts'
import { toModelVersion } from './to-model-version.ts'

/** The options that are bound to a model; the previous version is a model, too. */
interface BoundOptions extends Omit<ModelOptions, 'previous'> {
  readonly previous?: EntityModel<object> | undefined
}

/**
 * Adds the type, the version, the lifetime and the times to a model, and checks the whole.
 *
 * @param sample - a fresh entity
 * @throws {@link ModelError} for the first mistake
 */
export function completeModel(
  model: EntityModel<object>,
  options: BoundOptions,
  sample: object,
): EntityModel<object> {
  const discriminator = toDiscriminator(model.title, options.discriminator)
  const complete = Object.freeze({
    ...model,
    lifetime: bindLifetime(options.lifetime, { ...model, discriminator }),
    times: bindTimes(options, model),
    discriminator,
    version: toModelVersion(model.title, options, options.previous),
  })
  checkModel(complete, sample)
  if (!options.allowHotPartition) checkSpread(complete)
  return complete
}
