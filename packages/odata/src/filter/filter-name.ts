import type { EdmType } from '../edm/edm-type.ts'
import { checkPropertyName } from '../entity/property-name.ts'
import { PropertyNameError } from '../errors/property-name-error.ts'

/** Words that a filter reads as something else where a property may stand. */
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
 * Refuses what cannot name a property in a filter.
 *
 * @param name - the stored name; system properties are welcome
 * @throws {@link PropertyNameError} when it is no property name, or a word of the filter language
 */
export function checkFilterName(name: string): void {
  checkPropertyName(name)
  if (RESERVED.has(name)) {
    const message = `"${name}" means something else in a $filter, so a property of that name cannot be asked for there.`
    throw new PropertyNameError({ property: name, message })
  }
}

/** Whether a word means something else in a filter than a property. */
export function isReservedWord(word: string): boolean {
  return RESERVED.has(word)
}

/** The type of a system property, which the service knows before it looks at any entity. */
export function systemTypeOf(name: string): EdmType | undefined {
  if (name === 'PartitionKey' || name === 'RowKey') return 'String'
  return name === 'Timestamp' ? 'DateTime' : undefined
}
