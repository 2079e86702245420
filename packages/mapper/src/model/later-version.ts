import { keyOfRaw, type RawEntity } from '@rowkey/odata'
import { unreadableVersion } from '../errors/compose-errors.ts'
import type { EntityModel } from './entity-model.ts'

/** The default stored property of the version. */
export const DEFAULT_VERSION_PROPERTY = 'Version'

/** The version properties of the successors of models without versions. */
const followed = new WeakMap<object, string>()

/** Returns the version property of the models that follow a model without versions. */
export function versionPropertyAfter(model: object): string | undefined {
  return followed.get(model)
}

/** Records the version property of a model that follows a model without versions. */
export function setVersionPropertyAfter(model: object, property: string): void {
  followed.set(model, property)
}

/**
 * Rejects a row that a later version of a model without versions wrote, because an old program would change
 * properties that new programs ignore.
 *
 * @throws DecodeError (`UnreadableVersion`)
 */
export function checkNotLater(model: EntityModel<object>, raw: RawEntity): void {
  const property = followed.get(model) ?? DEFAULT_VERSION_PROPERTY
  const stored = raw[property]
  // The version is an Int32, which has no annotation.
  if (typeof stored !== 'number' || !Number.isInteger(stored) || stored < 2) return
  if (`${property}@odata.type` in raw) return
  if (model.columns.some(({ name }) => name === property)) return
  throw unreadableVersion({
    className: model.title,
    key: keyOfRaw(raw),
    stored,
    problem: `has the later version ${stored} in '${property}', but this program can only read version 1. Update the program. If '${property}' is a property of another program, declare it in the class.`,
  })
}
