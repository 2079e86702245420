import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'
import { readStored } from './read-column.ts'

/**
 * An entity as it came, with the values of encrypted columns in the clear, as they would stand there
 * had they never been encrypted.
 *
 * @throws {@link DecryptionError} when one of them is not what was encrypted
 */
export function revealedRaw(columns: readonly ColumnCodec[], raw: RawEntity): RawEntity {
  const sealed = columns.filter(({ seal }) => seal !== undefined)
  if (sealed.length === 0) return raw
  const revealed: Record<string, unknown> = { ...raw }
  for (const column of sealed) {
    const stored = readStored(column, raw)
    if (stored === undefined) continue
    delete revealed[column.annotation]
    const member = memberJson(column.member, stored.type, stored.value).slice(1) // after its comma
    Object.assign(revealed, parseEntityJson(`{${member}}`))
  }
  return revealed
}
