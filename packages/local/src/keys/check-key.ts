import { type EntityKey, forbiddenInKeys, MAX_KEY_UNITS } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'

/**
 * Rejects an invalid key.
 *
 * @throws Rejection KeyValueTooLarge, or OutOfRangeInput, and on Cosmos DB PropertiesNeedValue
 */
export function checkKey(key: EntityKey, flavour?: Flavour): void {
  if (flavour === 'cosmos') checkCosmosKey(key)
  checkKeyText('PartitionKey', key.partitionKey)
  checkKeyText('RowKey', key.rowKey)
}

const MAX_ROW_KEY_BYTES = 255

/** Rejects keys that only Cosmos DB rejects: empty ones, and a RowKey of more than 255 bytes. */
function checkCosmosKey({ partitionKey, rowKey }: EntityKey): void {
  if (partitionKey === '' || rowKey === '') throw new Rejection('PropertiesNeedValue')
  if (new TextEncoder().encode(rowKey).length > MAX_ROW_KEY_BYTES) {
    throw new Rejection('KeyValueTooLarge')
  }
}

function checkKeyText(property: 'PartitionKey' | 'RowKey', text: string): void {
  if (text.length > MAX_KEY_UNITS) throw new Rejection('KeyValueTooLarge')
  if (forbiddenInKeys.test(text)) {
    throw new Rejection('OutOfRangeInput', {
      text: `The '${property}' parameter of value '${text}' is out of range.`,
    })
  }
}
