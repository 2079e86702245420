import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from './entity-model.ts'
import { marksOf } from './marks-of.ts'

/**
 * Checks that no other value is stored under the names of the type and the version.
 *
 * @throws {@link ModelError} for the first conflict
 */
export function checkMarks(model: EntityModel<object>): void {
  const taken = new Map(model.columns.map(({ name, property }) => [name, property]))
  if (model.signing !== undefined) taken.set(model.signing.property, 'the signature')
  for (const { name } of marksOf(model)) {
    const other = taken.get(name)
    if (other !== undefined) {
      throw new ModelError({
        className: model.title,
        problem:
          `'${name}' stores its type or version, but ${other} has that name, too. Give one of them ` +
          'another name.',
      })
    }
    taken.set(name, 'its type')
  }
}
