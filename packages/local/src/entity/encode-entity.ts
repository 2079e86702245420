import type { MetadataLevel } from '../request/content-negotiation.ts'
import { printJsonString } from '../response/ascii-json.ts'
import { findTextMember, type TextMember } from './entity-text.ts'
import { printEntityPath } from './resource-url.ts'
import type { StoredEntity } from './stored-entity.ts'

/** How entities are to be written in one answer. */
export interface EntityFormat {
  /** How much is told beside the properties. */
  readonly level: MetadataLevel
  /** Origin and base path, before every address. */
  readonly base: string
  /** The name of the account, which `odata.type` begins with. */
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

/**
 * The answer to a query: one JSON object with the rows in `value`.
 *
 * @param elements - the rows, each encoded already, with commas between them
 */
export function encodeEntities(elements: string, format: EntityFormat): string {
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

/** What only full metadata tells, before and after the ETag. */
function linksOf(row: StoredEntity, format: EntityFormat): { before: string; after: string } {
  const path = printEntityPath(format.table, row)
  const type = printJsonString(`${format.account}.${format.table}`)
  return {
    before: `"odata.type":${type},"odata.id":${printJsonString(`${format.base}/${path}`)}`,
    after: `"odata.editLink":${printJsonString(path)}`,
  }
}

/**
 * The service shows a projection in the order of the row, and what the row lacks after it, as null.
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

/** No text but an annotation matches: quotes within a value stand behind a backslash. */
const EACH_ANNOTATION = /"[^"]*@odata\.type":"[^"]*",/g

const TIMESTAMP = '"Timestamp":'

/** Members at minimal metadata as another level has them; only full metadata annotates the Timestamp. */
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
