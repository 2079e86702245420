import { ModelError } from '../errors/model-error.ts'
import { isSigningKeys } from '../signing/is-signing-keys.ts'
import { storedNames } from './chunk-names.ts'
import type { EntityModel } from './entity-model.ts'
import { partsIn } from './parts-in.ts'

/**
 * Checks that no encrypted property is a part of a key, and that no property has the name of the
 * signature.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkSecrets(model: EntityModel<object>): void {
  checkSigning(model)
  const inKeys = new Set(partsIn(model).map(({ property }) => property))
  for (const column of model.columns) {
    const { property, encryption } = column
    if (encryption !== undefined && inKeys.has(property)) {
      throw new ModelError({
        className: model.title,
        property,
        problem:
          'It is encrypted, but also a part of the key, which is never encrypted. Remove it from ' +
          'the key, or use a hash of it there.',
      })
    }
    const name = storedNames(column).find((each) => each === model.signing?.property)
    if (name !== undefined) {
      throw new ModelError({
        className: model.title,
        property,
        problem:
          `It is stored as '${name}', the name of the signature. Give it another name with @StoreAs, ` +
          'or the signature with signingKeys({ property }).',
      })
    }
  }
}

function checkSigning({ title, signing }: EntityModel<object>): void {
  if (signing === undefined || isSigningKeys(signing)) return
  throw new ModelError({
    className: title,
    problem: 'signing must be signing keys: signingKeys({ current, keys }).',
  })
}
