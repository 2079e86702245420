import { dateTimeCodec } from '../edm/date-time-value.ts'
import type { EdmCodec } from '../edm/edm-codec.ts'
import { edmCodecOf, inferEdmType, stringCodec, writeJsonText } from '../edm/edm-codecs.ts'
import { EDM_TYPES, type EdmType, type EdmValue } from '../edm/edm-type.ts'
import { odataDecodeError } from '../errors/codes.ts'
import { DynamicEntity } from './dynamic-entity.ts'
import { checkKeyText, type EntityKey } from './entity-key.ts'
import {
  annotationName,
  checkCustomPropertyName,
  checkPropertyText,
  EntityProperty,
  isAnnotation,
  type PropertyNameCheck,
  systemPropertyNames,
} from './entity-property.ts'
import { keyOfRaw, type RawEntity } from './raw-entity.ts'

/**
 * Translates between the wire and the caller's objects. It writes an entity directly to JSON text and reads
 * one directly from the parsed response, without a property bag in between.
 *
 * A codec is made once per class or model and has no state. {@link dynamicEntityCodec} is the one for rows
 * without a declared class.
 */
export interface EntityCodec<Entity> {
  /**
   * Returns PartitionKey and RowKey of an entity: strings that a request can carry.
   *
   * @throws `InputError` when a half of the key is missing or cannot be sent
   */
  keyOf(entity: Entity): EntityKey
  /** Writes the whole entity as JSON text, as an insert, a replace or an upsert sends it. */
  write(entity: Entity): string
  /**
   * Reads an entity from one JSON object of a response.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity response; `odata.etag` in the object wins
   */
  read(raw: RawEntity, etag?: string): Entity
}

/**
 * The codec of rows without a declared class. It rejects a property name that the service does not accept.
 *
 * @example
 * ```ts
 * const person = dynamicEntityCodec.read({ PartitionKey: 'Smith', RowKey: 'Jeff', points: 5 })
 * person.set('points', 6)
 * dynamicEntityCodec.write(person) // '{"PartitionKey":"Smith","RowKey":"Jeff","points":6}'
 * ```
 */
export const dynamicEntityCodec: EntityCodec<DynamicEntity> = codecWith(checkCustomPropertyName)

/**
 * Works as {@link dynamicEntityCodec}, but accepts every property name that a request can carry and leaves
 * the rules for names to the service.
 */
export const uncheckedDynamicCodec: EntityCodec<DynamicEntity> = codecWith(checkPropertyText)

function codecWith(checkName: PropertyNameCheck): EntityCodec<DynamicEntity> {
  return {
    keyOf(entity) {
      checkKeyText(entity)
      return { partitionKey: entity.partitionKey, rowKey: entity.rowKey }
    },
    write: (entity) => writeEntityJson(entity, checkName),
    read: readDynamicEntity,
  }
}

function readDynamicEntity(raw: RawEntity, etag?: string): DynamicEntity {
  const { partitionKey, rowKey } = keyOfRaw(raw)
  const entity = new DynamicEntity(partitionKey, rowKey)
  readProperties(raw, entity.properties)
  const tag = raw['odata.etag'] ?? etag
  if (typeof tag === 'string') entity.etag = tag
  const timestamp = raw.Timestamp
  if (typeof timestamp === 'string') {
    entity.timestamp = dateTimeCodec.readJson(timestamp, 'Timestamp')
  }
  return entity
}

/**
 * Finds the Edm type of a member of entity JSON, by its annotation or otherwise by its JSON.
 *
 * @param raw - an entity from `parseEntityJson`
 * @param name - the stored name
 * @returns `undefined` when the member is absent or null
 * @throws {@link DecodeError} (`UnreadableProperty`) when the annotation is not an Edm type, or the JSON not
 * an Edm value
 */
export function edmTypeOf(raw: RawEntity, name: string): EdmType | undefined {
  // Own members only: `constructor` and `__proto__` are legal property names.
  const json = Object.hasOwn(raw, name) ? raw[name] : undefined
  return json === undefined || json === null
    ? undefined
    : typeOfMember(name, json, raw[annotationName(name)])
}

/**
 * Reads a member of entity JSON as a typed value.
 *
 * @param raw - an entity from `parseEntityJson`
 * @param name - the stored name
 * @returns `undefined` when the member is absent or null
 * @throws {@link DecodeError} (`UnreadableProperty`) when the JSON is not a value of its type
 *
 * @example
 * ```ts
 * readProperty({ 'n@odata.type': 'Edm.Int64', n: '5' }, 'n')?.value // 5n
 * ```
 */
export function readProperty(raw: RawEntity, name: string): EntityProperty | undefined {
  const type = edmTypeOf(raw, name)
  if (type === undefined) return undefined
  return EntityProperty.read(type, raw[name], name)
}

/**
 * The name of the annotation of each member, or `null` when the member is not a property. Tables have
 * few names and many entities, so these names are made once; at most this many are kept.
 */
const KEPT_KEYS = 2_000
const annotationKeys = new Map<string, string | null>()

/**
 * Reads every property of an entity's JSON except the system properties, in the order of the JSON.
 *
 * @param raw - an entity from `parseEntityJson`
 * @param properties - the map that takes them
 * @returns the same map
 * @throws {@link DecodeError} (`UnreadableProperty`) when a value does not fit its type
 */
export function readProperties(
  raw: RawEntity,
  properties: Map<string, EntityProperty> = new Map(),
): Map<string, EntityProperty> {
  for (const name of Object.keys(raw)) {
    const key = annotationKeyOf(name)
    const json = raw[name]
    if (key === null || json === null) continue
    const type = typeOfMember(name, json, raw[key])
    properties.set(name, EntityProperty.read(type, json, name))
  }
  return properties
}

/**
 * Lists the stored names of an entity's own properties, in the order of the JSON. It leaves out
 * PartitionKey, RowKey, Timestamp, annotations, and members that are null, which are not stored.
 *
 * @param raw - an entity from `parseEntityJson`
 *
 * @example
 * ```ts
 * propertyNamesOf({ 'odata.etag': 'W/"1"', PartitionKey: 'a', RowKey: 'b', 'x.y': 1 }) // ['x.y']
 * ```
 */
export function propertyNamesOf(raw: RawEntity): string[] {
  return Object.keys(raw).filter((name) => {
    const json = raw[name]
    return json !== null && json !== undefined && isProperty(name)
  })
}

function isProperty(member: string): boolean {
  return !systemPropertyNames.has(member) && !isAnnotation(member)
}

function annotationKeyOf(member: string): string | null {
  const kept = annotationKeys.get(member)
  if (kept !== undefined) return kept
  const key = isProperty(member) ? annotationName(member) : null
  if (annotationKeys.size >= KEPT_KEYS) annotationKeys.clear()
  annotationKeys.set(member, key)
  return key
}

const annotatedTypes: ReadonlyMap<unknown, EdmType> = new Map(
  EDM_TYPES.map((type) => [`Edm.${type}`, type]),
)

/**
 * Returns the stored type of a member of entity JSON. Whole Doubles come annotated from `parseEntityJson`,
 * so a value without an annotation shows its type.
 *
 * @param name - the stored name, for the message
 * @param json - the value
 * @param annotation - the value of its `odata.type`; `undefined` when it is missing
 * @throws {@link DecodeError} (`UnreadableProperty`) for an unknown type, an object and an array
 */
export function typeOfMember(name: string, json: unknown, annotation: unknown): EdmType {
  if (annotation === undefined) return typeByJson(name, json)
  const type = annotatedTypes.get(annotation)
  if (type !== undefined) return type
  const message = `The stored property "${name}" has the unknown type '${String(annotation)}'. Tables have the types ${EDM_TYPES.join(', ')}.`
  throw odataDecodeError('UnreadableProperty', message, { property: name })
}

function typeByJson(name: string, json: unknown): EdmType {
  // The service does not annotate its own Timestamp.
  if (name === 'Timestamp') return 'DateTime'
  const type = inferEdmType(json)
  if (type !== undefined) return type
  const message = `The stored property "${name}" is a JSON object or array, which is not an Edm value.`
  throw odataDecodeError('UnreadableProperty', message, { property: name })
}

/**
 * The text before a property's value in entity JSON, made once per name so that writing an entity only
 * joins texts.
 */
export interface MemberText {
  /** `"name":`, for a value whose JSON shows its type. */
  readonly plain: string
  /** `"name@odata.type":"Edm.Int64","name":`, for a value that needs an annotation. */
  annotated(type: EdmType): string
}

/**
 * Makes the {@link MemberText} of a stored name; keep it, and use it for every entity.
 *
 * @param name - the stored name, checked before
 * @param before - what both texts begin with, such as the comma after other members
 */
export function memberText(name: string, before = ''): MemberText {
  const member = `${writeJsonText(name)}:`
  const annotation = writeJsonText(annotationName(name))
  const byType = new Map<EdmType, string>()
  for (const type of EDM_TYPES) {
    byType.set(type, [before, annotation, ':"Edm.', type, '",', member].join(''))
  }
  return { plain: before + member, annotated: (type) => byType.get(type) as string }
}

/**
 * Writes a property as its JSON member, or as two members where the type needs an annotation.
 *
 * @param text - the property's {@link MemberText}
 * @param codec - the codec of its type
 * @param value - a value that the codec has accepted
 *
 * @example
 * ```ts
 * writeMember(memberText('points'), edmCodecs.Int64, 5n) // '"points@odata.type":"Edm.Int64","points":"5"'
 * ```
 */
export function writeMember<Type extends EdmType>(
  text: MemberText,
  codec: EdmCodec<Type>,
  value: EdmValue<Type>,
): string {
  const before = codec.annotates(value) ? text.annotated(codec.type) : text.plain
  return before + codec.writeJson(value)
}

/** The texts of names are kept, since they recur with every entity; this many at most. */
const KEPT_NAMES = 1_000
const keptTexts = new Map<string, MemberText>()

/**
 * Writes the JSON of an entity, its key included.
 *
 * @throws `InputError` (`InvalidEntityKey`) when no request can carry the key, and
 * (`InvalidPropertyName`) when `checkName` rejects a name
 */
export function writeEntityJson(entity: DynamicEntity, checkName: PropertyNameCheck): string {
  checkKeyText(entity)
  const partitionKey = stringCodec.writeJson(entity.partitionKey)
  const rowKey = stringCodec.writeJson(entity.rowKey)
  let text = `{"PartitionKey":${partitionKey},"RowKey":${rowKey}`
  for (const [name, { type, value }] of entity.properties) {
    checkName(name)
    text += writeMember(textOf(name), edmCodecOf(type), value)
  }
  return `${text}}`
}

function textOf(name: string): MemberText {
  const kept = keptTexts.get(name)
  if (kept !== undefined) return kept
  if (keptTexts.size >= KEPT_NAMES) keptTexts.clear()
  const text = memberText(name, ',')
  keptTexts.set(name, text)
  return text
}
