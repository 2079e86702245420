import { annotationName, parseEntityObject, type RawEntity } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'
import { readStored } from './read-column.ts'

/**
 * Returns a row as it would be stored without encryption and without cutting long values.
 *
 * @throws InputError (`ConversionFailed`) when a piece of a long value is missing
 * @throws DecodeError (`DecryptionFailed`) when a value was altered
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
