import type { EntityKey, KeyCheck } from '@rowkey/odata'

/**
 * Tells whether an entity may have a key. A query sends nothing for a key that the service rejects.
 *
 * @param key - the key
 * @param checkKey - the rules of the service
 */
export function isStorable(key: EntityKey, checkKey: KeyCheck): boolean {
  try {
    checkKey(key)
    return true
  } catch {
    return false
  }
}
