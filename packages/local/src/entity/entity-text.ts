import { type DateTimeValue, type EntityKey, edmCodecs, printDateTime } from '@rowkey/odata'
import { printJsonString } from '../answer/ascii-json.ts'
import type { StoredProperties, StoredProperty } from './stored-entity.ts'
import { isSystemProperty } from './system-property.ts'
import { propertyIn, readTextMember } from './text-member.ts'

/** An entity as {@link StoredEntity.text} has it. It says all there is: no value is lost in it. */
export function printEntityText(
  key: EntityKey,
  timestamp: DateTimeValue,
  properties: StoredProperties,
): string {
  const members = [
    `"PartitionKey":${printJsonString(key.partitionKey)}`,
    `"RowKey":${printJsonString(key.rowKey)}`,
    `"Timestamp":"${printDateTime(timestamp)}"`,
  ]
  for (const [name, property] of properties) members.push(printMember(name, property))
  // Joined, it is one text in memory; added up, it would be put together anew by each answer.
  return members.join(',')
}

/** The custom properties in the text of an entity. */
export function parseProperties(text: string): StoredProperties {
  const properties = new Map<string, StoredProperty>()
  for (let start = 0; start < text.length; ) {
    const member = readTextMember(text, start)
    if (!isSystemProperty(member.name)) properties.set(member.name, propertyIn(member))
    start = member.end + 1
  }
  return properties
}

function printMember(name: string, property: StoredProperty): string {
  const label = printJsonString(name)
  const member = `${label}:${printValue(property)}`
  if (!isAnnotated(property)) return member
  return `${label.slice(0, -1)}@odata.type":"Edm.${property.type}",${member}`
}

/** Only a String holds what is beyond ASCII. */
function printValue({ type, value }: StoredProperty): string {
  if (type === 'String') return printJsonString(value)
  // The codec is that of the value's own type; the compiler cannot follow two lookups by one name.
  return edmCodecs[type].writeJson(value as never)
}

/** The service annotates what JSON alone does not show. */
function isAnnotated({ type, value }: StoredProperty): boolean {
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
