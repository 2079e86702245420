import { edmCodecOf } from '../edm/edm-codecs.ts'
import { stringCodec } from '../edm/string.ts'
import type { DynamicEntity } from './dynamic-entity.ts'
import { checkKeyText } from './entity-key.ts'
import type { EntityProperty } from './entity-property.ts'
import { type MemberText, memberText, writeMember } from './member-text.ts'
import type { PropertyNameCheck } from './property-name.ts'

/** The JSON of each property by its name, such as `points` → `"points@odata.type":"Edm.Int64","points":"5"`. */
export type EntityMembers = Map<string, string>

/** Tables have few names and many entities, so what is made of a name is kept; this many at most. */
const KEPT_NAMES = 1_000
const keptTexts = new Map<string, MemberText>()

/** Properties as JSON, each under its name. */
export function membersOf(properties: ReadonlyMap<string, EntityProperty>): EntityMembers {
  const members: EntityMembers = new Map()
  for (const [name, property] of properties) members.set(name, writeProperty(name, property))
  return members
}

/**
 * An entity's JSON: its key, which every service takes in every body, and members.
 *
 * @throws {@link EntityKeyError} when no request can carry the key
 * @throws {@link PropertyNameError} when `checkName` refuses a name
 */
export function writeEntityJson(
  entity: DynamicEntity,
  members: EntityMembers,
  checkName: PropertyNameCheck,
): string {
  checkKeyText(entity)
  const partitionKey = stringCodec.writeJson(entity.partitionKey)
  const rowKey = stringCodec.writeJson(entity.rowKey)
  let text = `{"PartitionKey":${partitionKey},"RowKey":${rowKey}`
  for (const [name, member] of members) {
    checkName(name)
    text += `,${member}`
  }
  return `${text}}`
}

function writeProperty(name: string, property: EntityProperty): string {
  return writeMember(textOf(name), edmCodecOf(property.type), property.value)
}

function textOf(name: string): MemberText {
  const kept = keptTexts.get(name)
  if (kept !== undefined) return kept
  if (keptTexts.size >= KEPT_NAMES) keptTexts.clear()
  const text = memberText(name)
  keptTexts.set(name, text)
  return text
}
