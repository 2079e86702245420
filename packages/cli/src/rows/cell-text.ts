import { type EdmCodec, edmCodecs } from '@rowkey/odata'
import type { EntityProperty } from 'rowkey'

/**
 * Prints a value as text in a cell: as entity JSON has it, without quotes. A DateTime keeps its seven digits, a whole Double its
 * `.0`, and bytes are base64. The type is not part of the text.
 *
 * @param property - the value; absent for an empty cell
 */
export function cellText(property: EntityProperty | undefined): string {
  if (property === undefined) return ''
  const { type, value } = property
  const codec: EdmCodec = edmCodecs[type]
  const json = codec.writeJson(value)
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}
