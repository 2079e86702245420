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

/**
 * Rejects an invalid key in a URL. Table storage says less about it than about one in a body.
 *
 * @throws Rejection KeyValueTooLarge, OutOfRangeInput, or InvalidInput, and on Cosmos DB as {@link checkKey}
 */
export function checkKeyInUrl(key: EntityKey, flavour?: Flavour): void {
  const { partitionKey, rowKey } = key
  if (flavour !== 'cosmos' && /[/\\]/.test(partitionKey + rowKey)) {
    throw new Rejection('InvalidInput', { text: 'Bad Request - Error in query syntax.' })
  }
  if (flavour !== 'cosmos' && forbiddenInKeys.test(partitionKey + rowKey)) {
    throw new Rejection('OutOfRangeInput')
  }
  checkKey(key, flavour)
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
