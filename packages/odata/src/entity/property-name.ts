import { isWellFormed } from '../edm/edm-codecs.ts'
import { odataInputError } from '../errors/codes.ts'
import type { InputError } from '../errors/input-error.ts'

/** The most UTF-16 units a property name has. */
export const MAX_NAME_UNITS = 255

/** A C# identifier: a letter or `_` first, then letters, digits, marks, connectors and joiners. */
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*$/u

/** Rejects an invalid property name: {@link checkCustomPropertyName}, or {@link checkPropertyText}. */
export type PropertyNameCheck = (name: unknown) => void

/** Valid names are kept, since they recur with every entity; this many at most. */
const KEPT_NAMES = 1_000
const passed = new Set<unknown>()

/**
 * The properties that every entity has: PartitionKey and RowKey are its key, and the service writes
 * Timestamp.
 */
export const systemPropertyNames: ReadonlySet<string> = new Set([
  'PartitionKey',
  'RowKey',
  'Timestamp',
])

/**
 * Rejects a name that the service does not accept for a property. It accepts system properties.
 *
 * Names are case-sensitive and have at most 255 UTF-16 units.
 *
 * @param name - the stored name
 * @throws `InputError` (`InvalidPropertyName`)
 *
 * @example
 * ```ts
 * checkPropertyName('größe') // fine
 * checkPropertyName('first-name') // throws
 * ```
 */
export function checkPropertyName(name: unknown): asserts name is string {
  if (passed.has(name)) return
  if (typeof name !== 'string') throw notAString(name)
  if (name.length > MAX_NAME_UNITS) {
    const shown = JSON.stringify(`${name.slice(0, 32)}…`)
    throw invalidName(
      name,
      `The property name ${shown} has ${name.length} UTF-16 units; the limit is ${MAX_NAME_UNITS}.`,
    )
  }
  if (!NAME.test(name)) {
    throw invalid(name, 'it must be a letter or "_" with letters, digits and "_" after it')
  }
  if (passed.size >= KEPT_NAMES) passed.clear()
  passed.add(name)
}

/**
 * Rejects what {@link checkPropertyName} does, and the names of {@link systemPropertyNames}.
 *
 * @param name - the name of a property that the caller wants to store
 * @throws `InputError` (`InvalidPropertyName`)
 */
export function checkCustomPropertyName(name: unknown): asserts name is string {
  checkPropertyName(name)
  rejectSystemName(name)
}

/**
 * Rejects a name that no request can carry, and leaves all other rules to the service. A name must be a
 * string without a lone surrogate, not one of {@link systemPropertyNames}, and not an annotation of the
 * protocol ({@link isAnnotation}).
 *
 * @param name - the name of a property that the caller wants to store
 * @throws `InputError` (`InvalidPropertyName`)
 *
 * @example
 * ```ts
 * checkPropertyText('first-name') // fine here; the service may reject it
 * checkPropertyText('age@odata.type') // throws
 * ```
 */
export function checkPropertyText(name: unknown): asserts name is string {
  if (!passed.has(name)) checkCarried(name)
  rejectSystemName(name)
}

/** How an annotation of the whole entity begins, such as `odata.etag`. */
const ENTITY_ANNOTATION = 'odata.'
/** How the last part of an annotation of one property begins, such as `age@odata.type`. */
const PROPERTY_ANNOTATION = '@odata.'

/**
 * Tells whether a member of entity JSON is an annotation of the protocol: it begins with `odata.`, or
 * ends in `@odata.` and a word. Every other member is a property, also with a dot or a colon in its name.
 *
 * @param member - the name of the member
 *
 * @example
 * ```ts
 * isAnnotation('odata.etag') // true
 * isAnnotation('age@odata.type') // true
 * isAnnotation('sensor.odata.count') // false
 * ```
 */
export function isAnnotation(member: string): boolean {
  if (member.startsWith(ENTITY_ANNOTATION)) return true
  const at = member.lastIndexOf('@')
  return at >= 0 && member.startsWith(PROPERTY_ANNOTATION, at)
}

/**
 * Returns the name of the member that gives the type of a property: `name@odata.type`.
 *
 * @param name - the stored name of the property
 */
export function annotationName(name: string): string {
  return `${name}@odata.type`
}

function checkCarried(name: unknown): void {
  if (typeof name !== 'string') throw notAString(name)
  if (isAnnotation(name)) {
    throw invalid(
      name,
      'the protocol reserves "odata.…" and "…@odata.…" for annotations. Choose another name',
    )
  }
  if (!isWellFormed(name)) {
    throw invalid(name, 'it contains half of a surrogate pair, which UTF-8 cannot carry')
  }
}

function rejectSystemName(name: unknown): void {
  if (typeof name !== 'string' || !systemPropertyNames.has(name)) return
  throw invalidName(
    name,
    `"${name}" is a system property: PartitionKey and RowKey are the entity's key, and the service writes Timestamp. Choose another name.`,
  )
}

function notAString(name: unknown): InputError {
  const given = name === null ? 'null' : `a value of type ${typeof name}`
  return invalidName('', `A property name must be a string; got ${given}.`)
}

function invalid(name: string, reason: string): InputError {
  return invalidName(name, `${JSON.stringify(name)} is not a valid property name: ${reason}.`)
}

function invalidName(property: string, message: string): InputError {
  return odataInputError('InvalidPropertyName', message, { property })
}
