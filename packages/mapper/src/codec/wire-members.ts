import { type EntityKey, parseEntityObject, type RawEntity, readProperty } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'

/** The place that a member is sent to. */
export interface WirePlace {
  /** The entity's key, which an encrypted value is bound to. */
  readonly key: EntityKey
  /** The row that the entity was last read from or written to; `undefined` when there is none. */
  readonly raw: RawEntity | undefined
}

/**
 * Writes a member of a JSON object as it is sent: encrypted, and cut into several, where its column says so.
 *
 * @param column - the column
 * @param plain - the member with its value in the clear, or an empty text
 * @param place - where it is sent to
 */
export function wireMembers(column: ColumnCodec, plain: string, { key, raw }: WirePlace): string {
  const { seal, chunks } = column
  if (plain === '' || (seal === undefined && chunks === undefined)) return plain
  const typed = readProperty(parseEntityObject(`{${plain.slice(1)}}`), column.name) // after its comma
  if (typed === undefined) return ''
  const stored = seal ? ({ type: 'Binary', value: seal.close(typed, key) } as const) : typed
  return chunks ? chunks.write(stored, raw) : memberJson(column.member, stored.type, stored.value)
}
