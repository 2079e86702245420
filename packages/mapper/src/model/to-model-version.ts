import { checkCustomPropertyName, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { unreadableVersion } from '../errors/compose-errors.ts'
import { ModelError } from '../errors/model-error.ts'
import type { EntityModel, ModelVersion } from './entity-model.ts'
import type { VersionOptions } from './version-options.ts'

/** The default stored property of the version. */
const DEFAULT_VERSION_PROPERTY = 'Version'

/** The version properties of the successors of models without versions. */
const followed = new WeakMap<object, string>()

/** Returns the version property of the models that follow a model without versions. */
export function versionPropertyAfter(model: object): string | undefined {
  return followed.get(model)
}

/**
 * Rejects a row of a later version, for a model without a version that a later one names as its `previous`. For any other
 * model a property called `Version` is one of another program: it takes part in no versions.
 *
 * @throws DecodeError (`UnreadableVersion`)
 */
export function checkNotLater(model: EntityModel<object>, raw: RawEntity): void {
  const stored = laterVersionIn(model, raw)
  if (stored === undefined) return
  const property = followed.get(model)
  throw unreadableVersion({
    className: model.title,
    key: keyOfRaw(raw),
    stored,
    problem: `has the later version ${stored} in '${property}', but this program can only read version 1. Update the program. If '${property}' is a property of another program, declare it in the class.`,
  })
}

/**
 * Returns the later version of a row, for a model without a version that a later one names as its `previous`.
 *
 * @returns `undefined` for a row of the model, and for every row of any other model
 */
export function laterVersionIn(model: EntityModel<object>, raw: RawEntity): number | undefined {
  const property = followed.get(model)
  if (property === undefined) return undefined
  const stored = raw[property]
  // The version is an Int32, which has no annotation.
  if (typeof stored !== 'number' || !Number.isInteger(stored) || stored < 2) return undefined
  const isOther =
    `${property}@odata.type` in raw || model.columns.some(({ name }) => name === property)
  return isOther ? undefined : stored
}

/**
 * Makes the place of a model in its chain of versions.
 *
 * @param title - the name of the model in messages
 * @param options - the caller's options
 * @param previous - the model of the previous version, if any
 * @throws {@link ModelError} when the options do not form a chain
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
    throw refuse('It has previous or next but no version. Add version.')
  }
  if (!Number.isInteger(version) || version < 1 || version > 0x7fff_ffff) {
    throw refuse(`version must be a whole number from 1; got ${String(version)}.`)
  }
  const pairs = Object.entries({
    'previous and migrate': [previous, migrate],
    'next and migrateBack': [next, migrateBack],
  })
  for (const [names, [one, other]] of pairs) {
    if ((one === undefined) === (other === undefined)) continue
    throw refuse(`${names} belong together. Give both or neither.`)
  }
  if (next !== undefined && typeof next !== 'function') {
    throw refuse('next must be a function that returns the class, such as () => OrderV2.')
  }
  const before = previous && (previous.version?.number ?? 1)
  if (before !== undefined && before + 1 !== version) {
    throw refuse(
      `It is version ${version}, but the previous one, ${previous?.title}, is ${before}. Versions increase by 1.`,
    )
  }
  const inherited = previous?.version?.property
  const property = versionProperty ?? inherited ?? DEFAULT_VERSION_PROPERTY
  if (inherited !== undefined && property !== inherited) {
    throw refuse(
      `Its version is stored as '${property}', but that of ${previous?.title} as '${inherited}'. All versions must use the same property.`,
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
    checkCustomPropertyName(property as string) // rejects other values, too
  } catch (cause) {
    throw refuse(`Its version cannot be stored as '${String(property)}'.`, cause)
  }
}
