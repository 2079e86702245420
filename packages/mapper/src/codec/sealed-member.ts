import {
  type EntityKey,
  edmCodecs,
  parseEntityJson,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'

/**
 * A member of a JSON object as it is sent: encrypted, when its column is.
 *
 * @param column - the column
 * @param plain - the member with its value in the clear, or nothing
 * @param key - the entity's key, which an encrypted value is bound to
 * @throws {@link PropertyValueError} when it is too long once it is encrypted
 */
export function sealedMember(column: ColumnCodec, plain: string, key: EntityKey): string {
  if (column.seal === undefined || plain === '') return plain
  const members = parseEntityJson(`{${plain.slice(1)}}`) as RawEntity // one member, after its comma
  const typed = readProperty(members, column.name)
  if (typed === undefined) return ''
  const sealed = edmCodecs.Binary.accept(column.seal.close(typed, key), column.label)
  return memberJson(column.member, 'Binary', sealed)
}
