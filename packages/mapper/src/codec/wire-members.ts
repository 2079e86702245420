import { type EntityKey, parseEntityObject, type RawEntity, readProperty } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'

/** The row that a member is sent to. */
export interface WirePlace {
  /** The entity's key; encrypted values are bound to it. */
  readonly key: EntityKey
  /** The row that the entity was last read from or written to; `undefined` for a new object. */
  readonly raw: RawEntity | undefined
}

/**
 * Encrypts and cuts a member of a JSON object where its column requires it.
 *
 * @param column - the column
 * @param plain - the unencrypted member, or an empty text
 * @param place - the row
 */
export function wireMembers(column: ColumnCodec, plain: string, { key, raw }: WirePlace): string {
  const { seal, chunks } = column
  if (plain === '' || (seal === undefined && chunks === undefined)) return plain
  const typed = readProperty(parseEntityObject(`{${plain.slice(1)}}`), column.name) // after its comma
  if (typed === undefined) return ''
  const stored = seal ? ({ type: 'Binary', value: seal.close(typed, key) } as const) : typed
  return chunks ? chunks.write(stored, raw) : memberJson(column.member, stored.type, stored.value)
}
