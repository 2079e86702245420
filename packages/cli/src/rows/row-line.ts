import { type RawEntity, uncheckedDynamicCodec } from '@rowkey/odata'
import { type DynamicEntity, printDateTime } from 'rowkey'

/**
 * Prints a row as one line of NDJSON without a line feed: the JSON of the service, with the type of each value that the JSON
 * alone does not show. {@link parseRowLine} reads it without loss.
 *
 * @param row - the row
 * @param members - annotations to add, such as `odata.change`
 */
export function printRowLine(row: DynamicEntity, members: RawEntity = {}): string {
  const timestamp = row.timestamp === undefined ? {} : { Timestamp: printDateTime(row.timestamp) }
  const text = uncheckedDynamicCodec.write(row)
  const added = JSON.stringify({ ...timestamp, ...members })
  return added === '{}' ? text : `${text.slice(0, -1)},${added.slice(1)}`
}
