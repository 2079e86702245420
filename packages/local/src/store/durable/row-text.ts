import {
  type DateTimeValue,
  type EdmType,
  edmCodecs,
  parseDateTime,
  printDateTime,
} from '@rowkey/odata'
import {
  StoredEntity,
  type StoredProperties,
  type StoredProperty,
} from '../../entity/stored-entity.ts'

const ANNOTATION = '@odata.type'
const PREFIX = 'Edm.'

/**
 * A row as the text of its record: entity JSON as the protocol has it, in which everything is
 * annotated that JSON alone does not show exactly, whole Doubles included.
 */
export function printRow(row: StoredEntity): string {
  const members = Array.from(row.properties, ([name, property]) => printMember(name, property))
  return `{${[
    `"PartitionKey":${JSON.stringify(row.partitionKey)}`,
    `"RowKey":${JSON.stringify(row.rowKey)}`,
    `"Timestamp":"${printDateTime(row.timestamp)}"`,
    ...members,
  ].join(',')}}`
}

/** The row of a record. */
export function parseRow(text: string): StoredEntity {
  const members = JSON.parse(text)
  const key = { partitionKey: members.PartitionKey, rowKey: members.RowKey }
  const timestamp = parseDateTime(members.Timestamp) as DateTimeValue
  return new StoredEntity(key, timestamp, propertiesOf(members))
}

function printMember(name: string, { type, value }: StoredProperty): string {
  const label = JSON.stringify(name)
  // The codec is that of the value's own type; the compiler cannot follow two lookups by one name.
  const member = `${label}:${edmCodecs[type].writeJson(value as never)}`
  return isShown(type) ? member : `"${name}${ANNOTATION}":"${PREFIX}${type}",${member}`
}

function propertiesOf(members: Readonly<Record<string, unknown>>): StoredProperties {
  const properties = new Map<string, StoredProperty>()
  let type: EdmType | undefined
  for (const name of Object.keys(members)) {
    if (name === 'PartitionKey' || name === 'RowKey' || name === 'Timestamp') continue
    const json = members[name]
    if (name.endsWith(ANNOTATION)) {
      // Only `printRow` writes these texts: an annotation names a type, just before its property.
      type = String(json).slice(PREFIX.length) as EdmType
    } else {
      properties.set(name, readMember(type ?? shownType(json), name, json))
      type = undefined
    }
  }
  return properties
}

function readMember(type: EdmType, name: string, json: unknown): StoredProperty {
  return { type, value: edmCodecs[type].readJson(json, name) } as StoredProperty
}

/** Whether JSON alone shows a value's type. */
function isShown(type: EdmType): boolean {
  return type === 'String' || type === 'Boolean' || type === 'Int32'
}

function shownType(json: unknown): EdmType {
  if (typeof json === 'number') return 'Int32'
  return typeof json === 'boolean' ? 'Boolean' : 'String'
}
