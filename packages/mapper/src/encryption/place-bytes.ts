import type { EntityKey } from '@rowkey/odata'
import { encodeText } from './byte-text.ts'
import { joinBytes, withLength } from './join-bytes.ts'

/** The place of a stored value. */
export interface Place {
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** The stored name of the property. */
  readonly name: string
}

/**
 * Writes the bytes of a place. They are authenticated with each encrypted value, so that the value cannot
 * be decrypted in another place: docs/encryption.md.
 */
export function placeBytes({ key, name }: Place): Uint8Array {
  return joinBytes(
    withLength(encodeText(key.partitionKey)),
    withLength(encodeText(key.rowKey)),
    withLength(encodeText(name)),
  )
}
