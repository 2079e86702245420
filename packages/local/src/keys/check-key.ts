import { type EntityKey, forbiddenInKeys, MAX_KEY_UNITS } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'

/**
 * Rejects an invalid key.
 *
 * @throws Rejection KeyValueTooLarge, or OutOfRangeInput
 */
export function checkKey(key: EntityKey): void {
  checkKeyText('PartitionKey', key.partitionKey)
  checkKeyText('RowKey', key.rowKey)
}

function checkKeyText(property: 'PartitionKey' | 'RowKey', text: string): void {
  if (text.length > MAX_KEY_UNITS) throw new Rejection('KeyValueTooLarge')
  if (forbiddenInKeys.test(text)) {
    throw new Rejection('OutOfRangeInput', {
      text: `The '${property}' parameter of value '${text}' is out of range.`,
    })
  }
}
