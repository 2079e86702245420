import { edmCodecs } from '@rowkey/odata'
import { escapeJson, printJsonString } from '../answer/ascii-json.ts'
import type { MetadataLevel } from '../call/metadata-level.ts'
import { printEntityPath } from './resource-url.ts'
import type { StoredEntity, StoredProperty } from './stored-entity.ts'

/** How entities are to be written in one answer. */
export interface EntityFormat {
  readonly level: MetadataLevel
  /** Origin and base path, before every address. */
  readonly base: string
  readonly account: string
  /** The table's name as it was given at its creation. */
  readonly table: string
  /** The members to show; all of them when absent. */
  readonly select?: ReadonlySet<string> | undefined
  /** The `$select` as the client wrote it, which `odata.metadata` repeats. */
  readonly selectText?: string | undefined
}

/** The address of a table's metadata, as `odata.metadata` shows it. */
export function printMetadataUrl(format: EntityFormat, element: '' | '/@Element'): string {
  const selected = format.selectText === undefined ? '' : `&$select=${format.selectText}`
  return `${format.base}/$metadata#${format.table}${element}${selected}`
}

/** The answer to a request for one entity: one JSON object. */
export function encodeEntity(row: StoredEntity, format: EntityFormat): string {
  const members = encodeMembers(row, format)
  if (format.level === 'nometadata') return `{${members}}`
  const url = printJsonString(printMetadataUrl(format, '/@Element'))
  return `{"odata.metadata":${url}${members === '' ? '' : ','}${members}}`
}

/** One row of the answer to a query. */
export function encodeElement(row: StoredEntity, format: EntityFormat): string {
  return `{${encodeMembers(row, format)}}`
}

/** The answer to a query: one JSON object with the rows, each encoded already, in `value`. */
export function encodeEntities(elements: readonly string[], format: EntityFormat): string {
  const value = elements.join(',')
  if (format.level === 'nometadata') return `{"value":[${value}]}`
  const url = printJsonString(printMetadataUrl(format, ''))
  return `{"odata.metadata":${url},"value":[${value}]}`
}

function encodeMembers(row: StoredEntity, format: EntityFormat): string {
  const { level, select } = format
  const properties =
    select === undefined ? wholeEntity(row, level) : selectedMembers(row, level, select)
  if (level === 'nometadata') return properties
  const control = `"odata.etag":${JSON.stringify(row.etag)}`
  const links = level === 'fullmetadata' ? linksOf(row, format) : undefined
  const before = links === undefined ? control : `${links.before},${control},${links.after}`
  return properties === '' ? before : `${before},${properties}`
}

/** What only full metadata tells, before and after the ETag. */
function linksOf(row: StoredEntity, format: EntityFormat): { before: string; after: string } {
  const path = printEntityPath(format.table, row)
  const type = printJsonString(`${format.account}.${format.table}`)
  return {
    before: `"odata.type":${type},"odata.id":${printJsonString(`${format.base}/${path}`)}`,
    after: `"odata.editLink":${printJsonString(path)}`,
  }
}

const SYSTEM_PROPERTIES = ['PartitionKey', 'RowKey', 'Timestamp'] as const

/** The service shows a projection in the order of the row, and what the row lacks after it, as null. */
function selectedMembers(
  row: StoredEntity,
  level: MetadataLevel,
  select: ReadonlySet<string>,
): string {
  const names: string[] = SYSTEM_PROPERTIES.filter((name) => select.has(name))
  for (const name of row.properties.keys()) {
    if (select.has(name)) names.push(name)
  }
  if (names.length < select.size) {
    const present = new Set(names)
    for (const name of select) {
      if (!present.has(name)) names.push(name)
    }
  }
  return names.map((name) => encodeMember(name, row.property(name), level)).join(',')
}

/** Bytes of the longest text that is kept: to make a long one anew costs little more than to send it. */
const MAX_KEPT_TEXT = 65_536

/** Rows never change, so the text of a row, once made, is good for ever. */
const wholeTexts: Readonly<Record<MetadataLevel, WeakMap<StoredEntity, string>>> = {
  nometadata: new WeakMap(),
  minimalmetadata: new WeakMap(),
  fullmetadata: new WeakMap(),
}

function wholeEntity(row: StoredEntity, level: MetadataLevel): string {
  const known = wholeTexts[level].get(row)
  if (known !== undefined) return known
  const text = [
    `"PartitionKey":${printJsonString(row.partitionKey)}`,
    `"RowKey":${printJsonString(row.rowKey)}`,
    encodeMember('Timestamp', row.property('Timestamp'), level),
    ...Array.from(row.properties, ([name, property]) => encodeMember(name, property, level)),
  ].join(',')
  if (text.length <= MAX_KEPT_TEXT) wholeTexts[level].set(row, text)
  return text
}

function encodeMember(
  name: string,
  property: StoredProperty | undefined,
  level: MetadataLevel,
): string {
  const label = printJsonString(name)
  if (property === undefined) return `${label}:null`
  const member = `${label}:${encodeValue(property)}`
  if (!isAnnotated(name, property, level)) return member
  return `${label.slice(0, -1)}@odata.type":"Edm.${property.type}",${member}`
}

function encodeValue({ type, value }: StoredProperty): string {
  // The codec is that of the value's own type; the compiler cannot follow two lookups by one name.
  return escapeJson(edmCodecs[type].writeJson(value as never))
}

/** The service annotates what JSON alone does not show; the Timestamp only in full metadata. */
function isAnnotated(name: string, { type, value }: StoredProperty, level: MetadataLevel): boolean {
  if (level === 'nometadata') return false
  if (name === 'Timestamp') return level === 'fullmetadata'
  switch (type) {
    case 'Binary':
    case 'DateTime':
    case 'Guid':
    case 'Int64':
      return true
    case 'Double':
      return !Number.isFinite(value)
    default:
      return false
  }
}
