import type { EntityKey } from '@rowkey/odata'
import { encodeText } from './byte-text.ts'
import { joinBytes, withLength } from './join-bytes.ts'

/** Where a value is stored. */
export interface Place {
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** The stored name of the property. */
  readonly name: string
}

/**
 * The bytes of a place, which are authenticated with each encrypted value, so that a value does not
 * open at any other: docs/encryption.md.
 */
export function placeBytes({ key, name }: Place): Uint8Array {
  return joinBytes(
    withLength(encodeText(key.partitionKey)),
    withLength(encodeText(key.rowKey)),
    withLength(encodeText(name)),
  )
}
