import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from '../model/entity-model.ts'

/**
 * Refuses an object that holds a value which would get lost in silence: on an own member that the
 * class neither stores nor ignores. Methods, and members without a value, do not count.
 *
 * @param model - the class
 * @param members - the object
 * @param declared - every member that the class speaks of
 * @throws {@link ModelError} naming the first such member
 */
export function checkDeclared(
  model: EntityModel<object>,
  members: Readonly<Record<string, unknown>>,
  declared: ReadonlySet<string>,
): void {
  for (const member of Object.keys(members)) {
    if (declared.has(member)) continue
    const value = members[member]
    if (value === undefined || value === null || typeof value === 'function') continue
    throw new ModelError({
      className: model.title,
      property: member,
      problem:
        'It holds a value, and the class does not declare it, so it would not be stored. Put ' +
        '@Property() on it to store it, or @Ignore() to leave it out.',
    })
  }
}
