import type { EntityKey } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import type { MetadataLevel } from '../request/content-negotiation.ts'
import { printJsonString } from '../response/service-response.ts'

/**
 * Prints an entity's address below the account: table and key, percent-encoded as the service does
 * it.
 */
export function printEntityPath(table: string, key: EntityKey): string {
  return `${printTableName(table)}(PartitionKey=${printKeyLiteral(key.partitionKey)},RowKey=${printKeyLiteral(key.rowKey)})`
}

/** Prints a table's address below the account. */
export function printTablePath(table: string): string {
  return `Tables(${printKeyLiteral(table)})`
}

/** Prints a table's name as a part of a path. On Cosmos DB it may have almost any character. */
export function printTableName(table: string): string {
  if (PLAIN_NAME.test(table)) return table
  const escaped = encodeURIComponent(table).replaceAll("'", "''")
  return escaped.replaceAll('(', '%28').replaceAll(')', '%29')
}

const PLAIN_NAME = /^[A-Za-z0-9_-]+$/

/** Doubles quotes and leaves them unencoded; encodes everything else that a path cannot contain. */
function printKeyLiteral(text: string): string {
  return `'${encodeURIComponent(text).replaceAll("'", "''")}'`
}

/** The form of the tables in one response. */
interface TableFormat {
  /** How much metadata to add. */
  readonly level: MetadataLevel
  /** Origin and base path of every address. */
  readonly base: string
  /** The name of the account, which begins `odata.type`. */
  readonly account: string
  /** The service that responds; Table storage when absent. */
  readonly flavour?: Flavour | undefined
}

/** Encodes the response about one table: a JSON object. */
export function encodeTable(name: string, format: TableFormat): string {
  const members = encodeMembers(name, format)
  if (format.level === 'nometadata') return `{${members}}`
  const metadata = `"odata.metadata":${printJsonString(`${format.base}/$metadata#Tables/@Element`)}`
  return format.flavour === 'cosmos' ? `{${members},${metadata}}` : `{${metadata},${members}}`
}

/** Encodes the response to a listing: a JSON object with the tables in `value`. */
export function encodeTables(names: readonly string[], format: TableFormat): string {
  const value = names.map((name) => `{${encodeMembers(name, format)}}`).join(',')
  if (format.level === 'nometadata') return `{"value":[${value}]}`
  const metadata = `"odata.metadata":${printJsonString(`${format.base}/$metadata#Tables`)}`
  return format.flavour === 'cosmos'
    ? `{"value":[${value}],${metadata}}`
    : `{${metadata},"value":[${value}]}`
}

function encodeMembers(name: string, format: TableFormat): string {
  const member = `"TableName":${printJsonString(name)}`
  if (format.level !== 'fullmetadata') return member
  const path = printTablePath(name)
  const type = printJsonString(`${format.account}.Tables`)
  const id = printJsonString(`${format.base}/${path}`)
  return `"odata.type":${type},"odata.id":${id},"odata.editLink":${printJsonString(path)},${member}`
}
