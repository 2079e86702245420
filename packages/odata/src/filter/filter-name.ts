import type { EdmType } from '../edm/edm-type.ts'
import { checkPropertyName } from '../entity/property-name.ts'
import { odataInputError } from '../errors/codes.ts'

/** Words with another meaning in a filter. */
const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'and',
  'or',
  'not',
  'NaN',
  'INF',
])

/**
 * Rejects a name that cannot name a property in a filter.
 *
 * @param name - the stored name; system properties are fine
 * @throws `InputError` (`InvalidPropertyName`) for an invalid name, and for a word of the filter
 * language
 */
export function checkFilterName(name: string): void {
  checkPropertyName(name)
  if (RESERVED.has(name)) {
    const message = `"${name}" has another meaning in a $filter, so a filter cannot use a property of this name.`
    throw odataInputError('InvalidPropertyName', message, { property: name })
  }
}

/** Tells whether a word has another meaning in a filter than a property. */
export function isReservedWord(word: string): boolean {
  return RESERVED.has(word)
}

/** Returns the type of a system property, which the service knows before it reads any entity. */
export function systemTypeOf(name: string): EdmType | undefined {
  if (name === 'PartitionKey' || name === 'RowKey') return 'String'
  return name === 'Timestamp' ? 'DateTime' : undefined
}
