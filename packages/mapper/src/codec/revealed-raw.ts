import { annotationName, parseEntityObject, type RawEntity } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'
import { readStored } from './read-column.ts'

/**
 * An entity as it came, with the values of encrypted columns in the clear, and those that are cut in one, as
 * they would stand there had that never been done.
 *
 * @throws InputError (`ConversionFailed`) when a part of one of them is missing
 * @throws DecodeError (`DecryptionFailed`) when one of them is not what was encrypted
 */
export function revealedRaw(columns: readonly ColumnCodec[], raw: RawEntity): RawEntity {
  const hidden = columns.filter(({ seal, chunks }) => seal !== undefined || chunks !== undefined)
  if (hidden.length === 0) return raw
  const revealed: Record<string, unknown> = { ...raw }
  for (const column of hidden) {
    const stored = readStored(column, raw)
    if (stored === undefined) continue
    delete revealed[column.annotation]
    for (const name of column.chunks?.further ?? []) {
      delete revealed[name]
      delete revealed[annotationName(name)]
    }
    const member = memberJson(column.member, stored.type, stored.value).slice(1) // after its comma
    Object.assign(revealed, parseEntityObject(`{${member}}`))
  }
  return revealed
}
