import type { MetadataLevel } from '../request/content-negotiation.ts'
import { printJsonString } from '../response/ascii-json.ts'
import {
  encodeCosmosElement,
  encodeCosmosEntities,
  encodeCosmosEntity,
} from './encode-cosmos-entity.ts'
import type { EntityFormat } from './entity-format.ts'
import { findTextMember, type TextMember } from './entity-text.ts'
import { printEntityPath } from './resource-url.ts'
import type { StoredEntity } from './stored-entity.ts'

/** Prints the address of a table's metadata, as `odata.metadata` has it. */
export function printMetadataUrl(format: EntityFormat, element: '' | '/@Element'): string {
  const selected = format.selectText === undefined ? '' : `&$select=${format.selectText}`
  return `${format.base}/$metadata#${format.table}${element}${selected}`
}

/** Encodes the response to a read of one entity: a JSON object. */
export function encodeEntity(row: StoredEntity, format: EntityFormat): string {
  if (format.flavour === 'cosmos') return encodeCosmosEntity(row, format)
  const members = encodeMembers(row, format)
  if (format.level === 'nometadata') return `{${members}}`
  const url = printJsonString(printMetadataUrl(format, '/@Element'))
  return `{"odata.metadata":${url}${members === '' ? '' : ','}${members}}`
}

/** Encodes one row of the response to a query. */
export function encodeElement(row: StoredEntity, format: EntityFormat): string {
  if (format.flavour === 'cosmos') return encodeCosmosElement(row, format)
  return `{${encodeMembers(row, format)}}`
}

/**
 * Encodes the response to a query: a JSON object with the rows in `value`.
 *
 * @param elements - the encoded rows with commas between them
 */
export function encodeEntities(elements: string, format: EntityFormat): string {
  if (format.flavour === 'cosmos') return encodeCosmosEntities(elements, format)
  if (format.level === 'nometadata') return `{"value":[${elements}]}`
  const url = printJsonString(printMetadataUrl(format, ''))
  return `{"odata.metadata":${url},"value":[${elements}]}`
}

function encodeMembers(row: StoredEntity, format: EntityFormat): string {
  const { level, select } = format
  const properties = membersAt(
    level,
    select === undefined ? row.text : selectedMembers(row, select),
  )
  if (level === 'nometadata') return properties
  const control = `"odata.etag":${JSON.stringify(row.etag)}`
  const links = level === 'fullmetadata' ? linksOf(row, format) : undefined
  const before = links === undefined ? control : `${links.before},${control},${links.after}`
  return properties === '' ? before : `${before},${properties}`
}

/** Prints the members that only full metadata has, before and after the ETag. */
function linksOf(row: StoredEntity, format: EntityFormat): { before: string; after: string } {
  const path = printEntityPath(format.table, row)
  const type = printJsonString(`${format.account}.${format.table}`)
  return {
    before: `"odata.type":${type},"odata.id":${printJsonString(`${format.base}/${path}`)}`,
    after: `"odata.editLink":${printJsonString(path)}`,
  }
}

/**
 * Selects members in the order of the row. Missing ones follow as null.
 *
 * @returns the members as {@link StoredEntity.text} has them
 */
function selectedMembers({ text }: StoredEntity, select: ReadonlySet<string>): string {
  const found: TextMember[] = []
  let missing = ''
  for (const name of select) {
    const member = findTextMember(text, name)
    if (member === undefined) missing += `,${printJsonString(name)}:null`
    else found.push(member)
  }
  found.sort((a, b) => a.start - b.start)
  const members = found.map(({ start, end }) => text.slice(start, end)).join(',')
  return members === '' ? missing.slice(1) : members + missing
}

/** Matches annotations only: quotes within a value follow a backslash. */
const EACH_ANNOTATION = /"[^"]*@odata\.type":"[^"]*",/g

const TIMESTAMP = '"Timestamp":'

/**
 * Converts members at minimal metadata to another level. Only full metadata annotates the
 * Timestamp.
 */
function membersAt(level: MetadataLevel, members: string): string {
  switch (level) {
    case 'minimalmetadata':
      return members
    case 'nometadata':
      return members.includes('@odata.type":') ? members.replace(EACH_ANNOTATION, '') : members
    case 'fullmetadata':
      return members.replace(TIMESTAMP, `"Timestamp@odata.type":"Edm.DateTime",${TIMESTAMP}`)
  }
}
