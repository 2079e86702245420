import { type EdmType, isEdmType } from '../edm/edm-type.ts'
import { inferEdmType } from '../edm/infer-edm-type.ts'
import { PropertyValueError } from '../errors/property-value-error.ts'
import { annotationName } from './annotation.ts'
import type { RawEntity } from './entity-codec.ts'
import { EntityProperty } from './entity-property.ts'

/**
 * The Edm type of a member of entity JSON: what its annotation says, else what its JSON shows.
 *
 * @param raw - an entity of {@link parseEntityJson}
 * @param name - the stored name
 * @returns `undefined` when the member is absent or null
 * @throws {@link PropertyValueError} when the annotation is no Edm type, or the JSON no Edm value
 */
export function edmTypeOf(raw: RawEntity, name: string): EdmType | undefined {
  // Own members only: `constructor` and `__proto__` are legal property names.
  const json = Object.hasOwn(raw, name) ? raw[name] : undefined
  return json === undefined || json === null
    ? undefined
    : typeOfMember(name, json, raw[annotationName(name)])
}

/**
 * A member of entity JSON as a typed value.
 *
 * @param raw - an entity of {@link parseEntityJson}
 * @param name - the stored name
 * @returns `undefined` when the member is absent or null
 * @throws {@link PropertyValueError} when the JSON is no value of its type
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
 * What {@link edmTypeOf} does, for a caller who has the member and the key of its annotation.
 *
 * @param annotation - the value of `<name>@odata.type`
 */
export function typeOfMember(name: string, json: unknown, annotation: unknown): EdmType {
  if (annotation === undefined) return typeByJson(name, json)
  const type = typeof annotation === 'string' ? annotation.slice('Edm.'.length) : ''
  if (isEdmType(type) && annotation === `Edm.${type}`) return type
  const message = `Property "${name}" is annotated with an odata.type that is none of the eight Edm types, such as "Edm.Int64".`
  throw new PropertyValueError({ message, property: name, type: 'String' })
}

function typeByJson(name: string, json: unknown): EdmType {
  // The service says no type beside its own Timestamp.
  if (name === 'Timestamp') return 'DateTime'
  const type = inferEdmType(json)
  if (type !== undefined) return type
  const message = `Property "${name}" holds a JSON object or array, which is no Edm value.`
  throw new PropertyValueError({ message, property: name, type: 'String' })
}
