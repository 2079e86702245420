import { type EntityKey, parseEntityObject, readProperty } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'

/**
 * A member of a JSON object as it is sent: encrypted, and cut into several, where its column says so.
 *
 * @param column - the column
 * @param plain - the member with its value in the clear, or nothing
 * @param key - the entity's key, which an encrypted value is bound to
 */
export function wireMembers(column: ColumnCodec, plain: string, key: EntityKey): string {
  const { seal, chunks } = column
  if (plain === '' || (seal === undefined && chunks === undefined)) return plain
  const typed = readProperty(parseEntityObject(`{${plain.slice(1)}}`), column.name) // after its comma
  if (typed === undefined) return ''
  const stored = seal ? ({ type: 'Binary', value: seal.close(typed, key) } as const) : typed
  return chunks ? chunks.write(stored) : memberJson(column.member, stored.type, stored.value)
}
