import { checkCustomPropertyName } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import type { EntityModel, ModelVersion } from './entity-model.ts'
import type { VersionOptions } from './version-options.ts'

/** The stored property that holds the version of an entity, unless `versionProperty` names another one. */
export const DEFAULT_VERSION_PROPERTY = 'Version'

/** The version properties of the models that a model without versions is followed by. */
const followed = new WeakMap<object, string>()

/** Returns the property that holds the version in the models that follow a model without versions. */
export function versionPropertyAfter(model: object): string | undefined {
  return followed.get(model)
}

/**
 * The place of a model in its chain of versions.
 *
 * @param title - what messages call the model
 * @param options - what was said
 * @param previous - the model of the version before, if any
 * @throws {@link ModelError} when that makes no chain
 */
export function toModelVersion(
  title: string,
  { version, versionProperty, migrate, next, migrateBack }: VersionOptions,
  previous: EntityModel<object> | undefined,
): ModelVersion | undefined {
  const refuse = (problem: string, cause?: unknown) =>
    new ModelError({ className: title, problem, cause })
  if (version === undefined) {
    const said = [versionProperty, migrate, previous, next, migrateBack]
    const isMute = said.every((option) => option === undefined)
    if (isMute) return undefined
    throw refuse('It says of which version it follows and not which it is. Say version as well.')
  }
  if (!Number.isInteger(version) || version < 1 || version > 0x7fff_ffff) {
    throw refuse(`Its version is ${String(version)}. Give a whole number from 1.`)
  }
  if ((previous === undefined) !== (migrate === undefined)) {
    throw refuse('previous and migrate belong together: give both, or neither.')
  }
  if ((next === undefined) !== (migrateBack === undefined)) {
    throw refuse('next and migrateBack belong together: give both, or neither.')
  }
  if (next !== undefined && typeof next !== 'function') {
    throw refuse('next must be a function that returns the class, such as () => OrderV2.')
  }
  const before = previous && (previous.version?.number ?? 1)
  if (before !== undefined && before + 1 !== version) {
    throw refuse(
      `It is version ${version}, and ${previous?.title}, the one before, is ${before}. Versions go up by 1.`,
    )
  }
  const inherited = previous?.version?.property
  const property = versionProperty ?? inherited ?? DEFAULT_VERSION_PROPERTY
  if (inherited !== undefined && property !== inherited) {
    throw refuse(
      `Its version is stored as '${property}', and that of ${previous?.title} as '${inherited}'. All versions use the same property.`,
    )
  }
  checkName(property, refuse)
  if (previous !== undefined && inherited === undefined) followed.set(previous, property)
  return Object.freeze({ number: version, property, previous, migrate, next, migrateBack })
}

function checkName(
  property: unknown,
  refuse: (problem: string, cause: unknown) => ModelError,
): void {
  try {
    checkCustomPropertyName(property as string) // whatever it is, it says so
  } catch (cause) {
    throw refuse(`Its version cannot be stored as '${String(property)}'.`, cause)
  }
}
