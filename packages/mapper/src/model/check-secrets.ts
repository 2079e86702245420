import { ModelError } from '../errors/model-error.ts'
import { isSigningKeys } from '../signing/is-signing-keys.ts'
import { storedNames } from './chunk-names.ts'
import type { EntityModel } from './entity-model.ts'
import { partsIn } from './parts-in.ts'

/**
 * Checks that nothing encrypted stands in a key as well, and that the signature has a property to
 * itself.
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
          'It is encrypted, and it is a part of the key, which is stored in the clear. Take it out ' +
          'of the key, or put a hash of it there.',
      })
    }
    const name = storedNames(column).find((each) => each === model.signing?.property)
    if (name !== undefined) {
      throw new ModelError({
        className: model.title,
        property,
        problem:
          `It is stored as '${name}', which holds the signature. Give it another name by @StoreAs, ` +
          'or the signature by signingKeys({ property }).',
      })
    }
  }
}

function checkSigning({ title, signing }: EntityModel<object>): void {
  if (signing === undefined || isSigningKeys(signing)) return
  throw new ModelError({
    className: title,
    problem: 'Its signing must be keys to sign with: signingKeys({ current, keys }).',
  })
}
