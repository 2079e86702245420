import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from './entity-model.ts'
import { marksOf } from './marks-of.ts'

/**
 * Checks that what says type and version of an entity has its properties to itself.
 *
 * @throws {@link ModelError} for the first that has not
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
          `'${name}' holds its type or version, and ${other} is stored under that name too. Give one of them ` +
          'another name.',
      })
    }
    taken.set(name, 'its type')
  }
}
