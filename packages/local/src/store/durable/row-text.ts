import type { StoredEntity } from '../../entity/stored-entity.ts'
import { RecordedEntity } from './recorded-entity.ts'

/** A row as the text of its record: entity JSON as an answer with minimal metadata shows it. */
export function printRow(row: StoredEntity): string {
  return `{${row.text}}`
}

/** The row of a record. */
export function parseRow(text: string): StoredEntity {
  return new RecordedEntity(text.slice(1, -1))
}
