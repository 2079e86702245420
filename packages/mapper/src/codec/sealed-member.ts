import { type EntityKey, parseEntityJson, type RawEntity, readProperty } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'

/**
 * A member of a JSON object as it is sent: encrypted, when its column is.
 *
 * @param column - the column
 * @param plain - the member with its value in the clear, or nothing
 * @param key - the entity's key, which an encrypted value is bound to
 */
export function sealedMember(column: ColumnCodec, plain: string, key: EntityKey): string {
  if (column.seal === undefined || plain === '') return plain
  const members = parseEntityJson(`{${plain.slice(1)}}`) as RawEntity // one member, after its comma
  const typed = readProperty(members, column.name)
  if (typed === undefined) return ''
  return memberJson(column.member, 'Binary', column.seal.close(typed, key))
}
