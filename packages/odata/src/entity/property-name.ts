import { isWellFormed } from '../edm/json-text.ts'
import { PropertyNameError } from '../errors/property-name-error.ts'
import { isAnnotation } from './annotation.ts'

/** The most UTF-16 units a property name holds. */
export const MAX_NAME_UNITS = 255

/** A C# identifier: a letter or `_` first, then letters, digits, marks, connectors and joiners. */
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*$/u
const RULE =
  'a property name is a letter or "_" and then letters, digits and "_", as in C#, and no dash, dot or blank'

/** Refuses a property's name, or does nothing: {@link checkCustomPropertyName}, or {@link checkPropertyText}. */
export type PropertyNameCheck = (name: unknown) => void

/** The same names come again with every entity, so those that passed are kept; this many at most. */
const KEPT_NAMES = 1_000
const passed = new Set<unknown>()

/**
 * The properties that every entity has, which are not the caller's to store: PartitionKey and
 * RowKey are its key, and Timestamp is the service's.
 */
export const systemPropertyNames: ReadonlySet<string> = new Set([
  'PartitionKey',
  'RowKey',
  'Timestamp',
])

/**
 * Refuses what the service does not take as the name of a property, system properties included.
 *
 * Names are case-sensitive and have at most 255 UTF-16 units.
 *
 * @param name - the stored name
 * @throws {@link PropertyNameError} when it is not such a name
 *
 * @example
 * ```ts
 * checkPropertyName('größe') // fine
 * checkPropertyName('first-name') // throws
 * ```
 */
export function checkPropertyName(name: unknown): asserts name is string {
  if (passed.has(name)) return
  if (typeof name !== 'string') throw kindRefused(name)
  if (name.length > MAX_NAME_UNITS) {
    const message = `A property name has at most ${MAX_NAME_UNITS} UTF-16 units, and "${name.slice(0, 32)}…" has ${name.length}.`
    throw new PropertyNameError({ property: name, message })
  }
  if (!NAME.test(name)) {
    throw new PropertyNameError({ property: name, message: `"${name}" is refused: ${RULE}.` })
  }
  if (passed.size >= KEPT_NAMES) passed.clear()
  passed.add(name)
}

/**
 * Refuses what {@link checkPropertyName} does, and the names of {@link systemPropertyNames}.
 *
 * @param name - the name of a property that the caller wants to store
 * @throws {@link PropertyNameError} when it cannot be stored under that name
 */
export function checkCustomPropertyName(name: unknown): asserts name is string {
  checkPropertyName(name)
  refuseSystemName(name)
}

/**
 * Rejects a name that no request can carry, and leaves all other rules to the service. A name must be a
 * string without a lone surrogate, not one of {@link systemPropertyNames}, and not an annotation of the
 * protocol ({@link isAnnotation}).
 *
 * @param name - the name of a property that the caller wants to store
 * @throws {@link PropertyNameError} when no request can carry it
 *
 * @example
 * ```ts
 * checkPropertyText('first-name') // fine here, whatever the service says
 * checkPropertyText('age@odata.type') // throws
 * ```
 */
export function checkPropertyText(name: unknown): asserts name is string {
  if (!passed.has(name)) checkCarried(name)
  refuseSystemName(name)
}

function checkCarried(name: unknown): void {
  if (typeof name !== 'string') throw kindRefused(name)
  const fault = faultOfText(name)
  if (fault === undefined) return
  throw new PropertyNameError({
    property: name,
    message: `${JSON.stringify(name)} is refused: ${fault}.`,
  })
}

function faultOfText(name: string): string | undefined {
  if (isAnnotation(name))
    return 'the protocol reserves "odata.…" and "…@odata.…" for annotations; choose another name'
  if (isWellFormed(name)) return undefined
  return 'half of a surrogate pair stands alone in it, which UTF-8 cannot carry'
}

function kindRefused(name: unknown): PropertyNameError {
  return new PropertyNameError({ property: '', message: `${RULE}; given a ${typeof name}.` })
}

function refuseSystemName(name: unknown): void {
  if (typeof name !== 'string' || !systemPropertyNames.has(name)) return
  const message = `"${name}" is a system property: PartitionKey and RowKey are the entity's key, Timestamp is written by the service. Choose another name.`
  throw new PropertyNameError({ property: name, message })
}
