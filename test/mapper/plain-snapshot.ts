import type { RawEntity } from '@rowkey/odata'
import { Row } from '../../packages/mapper/src/member/row.ts'

/** Shows a snapshot with its row as parsed JSON, so that two can be compared: an assertion does not look into a row. */
export function plain<Known extends { readonly row?: Row | RawEntity | undefined }>(
  snapshot: Known | undefined,
): object | undefined {
  if (snapshot === undefined) return undefined
  const { row } = snapshot
  return { ...snapshot, row: row instanceof Row ? row.raw : row }
}
