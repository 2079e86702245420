import type { EntityKey } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'

/** UTF-16 units of a PartitionKey or a RowKey: 1 KiB each. */
const MAX_KEY_LENGTH = 512

/** `/ \ # ?`, control characters, and lone surrogates, which no URL can contain. */
const FORBIDDEN = /[\p{Cc}\p{Cs}/\\#?]/u

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
  if (text.length > MAX_KEY_LENGTH) throw new Rejection('KeyValueTooLarge')
  if (FORBIDDEN.test(text)) {
    throw new Rejection('OutOfRangeInput', {
      text: `The '${property}' parameter of value '${text}' is out of range.`,
    })
  }
}
