import type { Flavour } from '@rowkey/rest'
import type { MetadataLevel } from '../request/content-negotiation.ts'
import { printJsonString } from '../response/service-response.ts'
import { printEntityPath } from './encode-table.ts'
import { findTextMember, isAnnotated, membersIn, type TextMember } from './entity-text.ts'
import type { StoredEntity } from './stored-entity.ts'

/** The form of the entities in one response. */
export interface EntityFormat {
  /** How much metadata to add. */
  readonly level: MetadataLevel
  /** Origin and base path of every address. */
  readonly base: string
  /** The name of the account, which begins `odata.type`. */
  readonly account: string
  /** The table's name as it was created. */
  readonly table: string
  /** The members to include; all when absent. */
  readonly select?: ReadonlySet<string> | undefined
  /** The `$select` as the client wrote it, which `odata.metadata` repeats. */
  readonly selectText?: string | undefined
  /** The service that responds; Table storage when absent. */
  readonly flavour?: Flavour | undefined
}

/**
 * Encodes one entity as Cosmos DB does: the Timestamp comes last, every DateTime has seven digits, and
 * characters beyond ASCII are not escaped.
 */
function encodeCosmosEntity(row: StoredEntity, format: EntityFormat): string {
  const { base, table } = format
  return encodeRow(row, format, [
    `"odata.metadata":${print(`${base}/${table}/$metadata#${table}/@Element`)}`,
  ])
}

/** Encodes one row of the response to a query. */
function encodeCosmosElement(row: StoredEntity, format: EntityFormat): string {
  return encodeRow(row, format, [])
}

/** Encodes the two ends of the response to a query, with the metadata at its end. */
function encodeCosmosPageEnds({ level, base, table }: EntityFormat): PageEnds {
  if (level === 'nometadata') return ['{"value":[', ']}']
  return ['{"value":[', `],"odata.metadata":${print(`${base}/$metadata#${table}`)}}`]
}

function encodeRow(row: StoredEntity, format: EntityFormat, metadata: readonly string[]): string {
  const members = membersOf(row, format)
  if (format.level === 'nometadata') return `{${members.join(',')}}`
  const links = format.level === 'fullmetadata' ? linksOf(row, format, print) : []
  return `{${[...links, ...metadata, `"odata.etag":${print(row.etag)}`, ...members].join(',')}}`
}

/** Prints the properties of a row, the Timestamp last. What `$select` names and the row lacks is left out. */
function membersOf({ text }: StoredEntity, { level, select }: EntityFormat): string[] {
  const [partitionKey, rowKey, timestamp, ...custom] = membersIn(text)
  const members = [partitionKey, rowKey, ...custom].flatMap((member) =>
    member === undefined || select?.has(member.name) === false ? [] : printMember(member, level),
  )
  if (timestamp === undefined || select?.has('Timestamp') === false) return members
  const type = level === 'fullmetadata' ? ['"Timestamp@odata.type":"Edm.DateTime"'] : []
  return [...members, ...type, `"Timestamp":${withSevenDigits(timestamp.json)}`]
}

function printMember(member: TextMember, level: MetadataLevel): string[] {
  const { name, type } = member
  const printed = `${print(name)}:${printValue(member)}`
  const isTyped = level !== 'nometadata' && isAnnotated(member)
  return isTyped ? [`${print(`${name}@odata.type`)}:"Edm.${type}"`, printed] : [printed]
}

function printValue({ type, json }: TextMember): string {
  if (type === 'String') return print(JSON.parse(json))
  return type === 'DateTime' ? withSevenDigits(json) : json
}

/** Fills up the fraction of a second to seven digits. */
function withSevenDigits(json: string): string {
  return json.replace(/(?:\.(\d+))?Z"$/, (_, digits = '') => `.${String(digits).padEnd(7, '0')}Z"`)
}

const print = (text: string): string => JSON.stringify(text)

/** Prints the address of a table's metadata, as `odata.metadata` has it. */
function printMetadataUrl(format: EntityFormat, element: '' | '/@Element'): string {
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

/** What is before and after the rows in the response to a query. */
type PageEnds = readonly [before: string, after: string]

/** Encodes the two ends of the response to a query: a JSON object with the rows in `value`. */
export function encodePageEnds(format: EntityFormat): PageEnds {
  if (format.flavour === 'cosmos') return encodeCosmosPageEnds(format)
  if (format.level === 'nometadata') return ['{"value":[', ']}']
  const url = printJsonString(printMetadataUrl(format, ''))
  return [`{"odata.metadata":${url},"value":[`, ']}']
}

function encodeMembers(row: StoredEntity, format: EntityFormat): string {
  const { level, select } = format
  if (level === 'minimalmetadata' && select === undefined) return row.element
  const properties = membersAt(
    level,
    select === undefined ? row.text : selectedMembers(row, select),
  )
  if (level === 'nometadata') return properties
  const control = [`"odata.etag":${JSON.stringify(row.etag)}`]
  if (level === 'fullmetadata') {
    const [type, id, link] = linksOf(row, format, printJsonString)
    control.unshift(type, id)
    control.push(link)
  }
  return [...control, properties].filter((text) => text !== '').join(',')
}

/** Prints the members that only full metadata has: the type, the id and the link. */
function linksOf(
  row: StoredEntity,
  { base, account, table }: EntityFormat,
  printText: (text: string) => string,
): [type: string, id: string, link: string] {
  const path = printEntityPath(table, row)
  return [
    `"odata.type":${printText(`${account}.${table}`)}`,
    `"odata.id":${printText(`${base}/${path}`)}`,
    `"odata.editLink":${printText(path)}`,
  ]
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
