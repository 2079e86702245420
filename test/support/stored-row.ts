import type { DateTimeValue, EntityKey } from '@rowkey/odata'
import {
  type PrintedProperty,
  printEntityText,
  printProperty,
  propertyIn,
  type StoredProperty,
} from '../../packages/local/src/entity/entity-text.ts'
import { StoredEntity } from '../../packages/local/src/entity/stored-entity.ts'

/** Makes a row of these properties. */
export function storedRow(
  key: EntityKey,
  timestamp: DateTimeValue,
  properties: Iterable<readonly [name: string, property: StoredProperty]>,
): StoredEntity {
  return new StoredEntity(printEntityText(key, timestamp, printedProperties(properties)))
}

/** Prints properties as the text of a row has them. */
export function printedProperties(
  properties: Iterable<readonly [name: string, property: StoredProperty]>,
): PrintedProperty[] {
  return Array.from(properties, ([name, property]) => printProperty(name, property))
}

/** Decodes properties from the text of a row, in their order. */
export function decodedProperties(
  properties: readonly PrintedProperty[],
): Map<string, StoredProperty> {
  return new Map(properties.map((property) => [property.name, propertyIn(property)]))
}
