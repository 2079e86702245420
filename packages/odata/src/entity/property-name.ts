import { PropertyNameError } from '../errors/property-name-error.ts'

/** The most UTF-16 units a property name holds. */
export const MAX_NAME_UNITS = 255

/** A C# identifier: a letter or `_` first, then letters, digits, marks, connectors and joiners. */
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*$/u
const RULE =
  'a property name is a letter or "_" and then letters, digits and "_", as in C#, and no dash, dot or blank'

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
  if (typeof name !== 'string') {
    throw new PropertyNameError({ property: '', message: `${RULE}; given a ${typeof name}.` })
  }
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
  if (systemPropertyNames.has(name)) {
    const message = `"${name}" is a system property: PartitionKey and RowKey are the entity's key, Timestamp is written by the service. Choose another name.`
    throw new PropertyNameError({ property: name, message })
  }
}
