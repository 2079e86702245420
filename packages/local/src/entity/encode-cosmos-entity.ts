import { edmCodecs, printDateTime } from '@rowkey/odata'
import type { EntityFormat } from './entity-format.ts'
import { isAnnotated } from './entity-text.ts'
import { printEntityPath } from './resource-url.ts'
import type { StoredEntity, StoredProperty } from './stored-entity.ts'

/**
 * Encodes one entity as Cosmos DB does: the Timestamp comes last, every DateTime has seven digits, and
 * characters beyond ASCII are not escaped.
 */
export function encodeCosmosEntity(row: StoredEntity, format: EntityFormat): string {
  const { base, table } = format
  return encodeRow(row, format, [
    `"odata.metadata":${print(`${base}/${table}/$metadata#${table}/@Element`)}`,
  ])
}

/** Encodes one row of the response to a query. */
export function encodeCosmosElement(row: StoredEntity, format: EntityFormat): string {
  return encodeRow(row, format, [])
}

/**
 * Encodes the response to a query, with the metadata at its end.
 *
 * @param elements - the encoded rows with commas between them
 */
export function encodeCosmosEntities(
  elements: string,
  { level, base, table }: EntityFormat,
): string {
  if (level === 'nometadata') return `{"value":[${elements}]}`
  return `{"value":[${elements}],"odata.metadata":${print(`${base}/$metadata#${table}`)}}`
}

function encodeRow(row: StoredEntity, format: EntityFormat, metadata: readonly string[]): string {
  const members = membersOf(row, format)
  if (format.level === 'nometadata') return `{${members.join(',')}}`
  const links = format.level === 'fullmetadata' ? linksOf(row, format) : []
  return `{${[...links, ...metadata, `"odata.etag":${print(row.etag)}`, ...members].join(',')}}`
}

function linksOf(row: StoredEntity, { base, account, table }: EntityFormat): readonly string[] {
  const path = printEntityPath(table, row)
  return [
    `"odata.type":${print(`${account}.${table}`)}`,
    `"odata.id":${print(`${base}/${path}`)}`,
    `"odata.editLink":${print(path)}`,
  ]
}

/** Prints the properties of a row. What `$select` names and the row lacks is left out. */
function membersOf(row: StoredEntity, { level, select }: EntityFormat): readonly string[] {
  const names = ['PartitionKey', 'RowKey', ...row.properties.keys(), 'Timestamp']
  return names.flatMap((name) => {
    const property = row.property(name)
    if (property === undefined || select?.has(name) === false) return []
    const member = `${print(name)}:${printValue(property)}`
    const isTimestamp = name === 'Timestamp'
    const isTyped = isTimestamp
      ? level === 'fullmetadata'
      : level !== 'nometadata' && isAnnotated(property)
    return isTyped ? [`${print(`${name}@odata.type`)}:"Edm.${property.type}"`, member] : [member]
  })
}

function printValue({ type, value }: StoredProperty): string {
  if (type === 'String') return print(value)
  if (type === 'DateTime') return `"${withSevenDigits(printDateTime(value))}"`
  // The codec has the value's own type; the compiler cannot relate two lookups by one name.
  return edmCodecs[type].writeJson(value as never)
}

/** Fills up the fraction of a second to seven digits. */
export function withSevenDigits(time: string): string {
  return time.replace(/(?:\.(\d+))?Z$/, (_, digits = '') => `.${String(digits).padEnd(7, '0')}Z`)
}

const print = (text: string): string => JSON.stringify(text)
