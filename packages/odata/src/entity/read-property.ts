import { inferEdmType } from '../edm/edm-codecs.ts'
import { type EdmType, isEdmType } from '../edm/edm-type.ts'
import { odataDecodeError } from '../errors/codes.ts'
import { EntityProperty } from './entity-property.ts'
import { annotationName, isAnnotation, systemPropertyNames } from './property-name.ts'
import type { RawEntity } from './raw-entity.ts'

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
 * Lists the stored names of an entity's own properties, in the order of the JSON: without PartitionKey,
 * RowKey and Timestamp, without annotations, and without members that are null, which are not stored.
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

function typeOfMember(name: string, json: unknown, annotation: unknown): EdmType {
  if (annotation === undefined) return typeByJson(name, json)
  const type = typeof annotation === 'string' ? annotation.slice('Edm.'.length) : ''
  if (isEdmType(type) && annotation === `Edm.${type}`) return type
  const message = `The odata.type of the stored property "${name}" is not one of the eight Edm types, such as "Edm.Int64".`
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
