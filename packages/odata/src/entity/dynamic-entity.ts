import { printDateTime } from '../edm/date-time-value.ts'
import type { EdmCodec } from '../edm/edm-codec.ts'
import { edmCodecOf } from '../edm/edm-codecs.ts'
import type { EdmValue } from '../edm/edm-type.ts'
import { brand } from '../errors/brand.ts'
import { odataInputError } from '../errors/codes.ts'
import { annotationName, checkPropertyText, EntityProperty } from './entity-property.ts'
import type { RawEntity } from './raw-entity.ts'

/** The properties of a new {@link DynamicEntity}: an object, or pairs of name and value. */
export type DynamicProperties =
  | { readonly [name: string]: EntityProperty | EdmValue | null | undefined }
  | Iterable<readonly [name: string, value: EntityProperty | EdmValue | null | undefined]>

/**
 * An entity without a declared class: its key and its properties, each with its type.
 *
 * @example
 * ```ts
 * const person = new DynamicEntity('Smith', 'Jeff', { points: 100n, since: new Date() })
 * person.set('ratio', EntityProperty.double(3))
 * person.get('points')?.as('Int64') // 100n
 * ```
 */
export class DynamicEntity {
  /** PartitionKey; `''` when a projection left it out. */
  partitionKey: string
  /** RowKey; `''` when a projection left it out. */
  rowKey: string
  /** The ETag of the last read or write; later writes of this entity are conditional on it. */
  etag?: string
  /** When the service last wrote the entity, in UTC, as of the last read or write. */
  timestamp?: Date
  /** Every property but the key and the Timestamp, by its stored name. */
  readonly properties: Map<string, EntityProperty> = new Map()

  static {
    brand(DynamicEntity, 'rowkey.dynamicEntity')
  }

  /**
   * @param partitionKey - PartitionKey
   * @param rowKey - RowKey
   * @param properties - the rest; null and undefined mean absent
   * @throws `InputError` (`InvalidPropertyName`) when no request can carry a name, and
   * (`InvalidPropertyValue`) when no Edm type holds a value, or the properties are not an object
   */
  constructor(partitionKey: string, rowKey: string, properties: DynamicProperties = {}) {
    this.partitionKey = partitionKey
    this.rowKey = rowKey
    if (typeof properties !== 'object' || properties === null) {
      throw odataInputError(
        'InvalidPropertyValue',
        'The properties of a DynamicEntity must be an object, or pairs of name and value.',
        {},
      )
    }
    const isPairs = Symbol.iterator in properties
    for (const [name, value] of isPairs ? properties : Object.entries(properties)) {
      if (value !== null && value !== undefined) this.set(name, value)
    }
  }

  /**
   * Returns a property by its stored name.
   *
   * @param name - the name, case-sensitive
   */
  get(name: string): EntityProperty | undefined {
    return this.properties.get(name)
  }

  /**
   * Sets a property. Its name is checked against the rules of the service when the entity is written.
   *
   * @param name - the stored name
   * @param value - a typed property, or a value whose type `inferEdmType` finds
   * @throws `InputError` (`InvalidPropertyName`) when no request can carry the name, and
   * (`InvalidPropertyValue`) when no Edm type holds the value
   */
  set(name: string, value: EntityProperty | EdmValue): this {
    checkPropertyText(name)
    this.properties.set(name, EntityProperty.of(value, undefined, name))
    return this
  }

  /**
   * Tells whether the entity has a property.
   *
   * @param name - the name, case-sensitive
   */
  has(name: string): boolean {
    return this.properties.has(name)
  }

  /**
   * Removes a property: a replace then removes it from the service; a merge cannot.
   *
   * @param name - the name, case-sensitive
   * @returns whether it was there
   */
  delete(name: string): boolean {
    return this.properties.delete(name)
  }

  /**
   * Returns the entity as the service's JSON has it, so that `JSON.stringify(entity)` loses nothing:
   * `odata.etag`, PartitionKey, RowKey, Timestamp, and each property, with its type beside it where the
   * JSON alone does not show it. An Int64 is text, bytes are base64. `dynamicEntityCodec` reads it back.
   *
   * @example
   * ```ts
   * const text = JSON.stringify(person)
   * // {"PartitionKey":"Smith","RowKey":"Jeff","points@odata.type":"Edm.Int64","points":"100"}
   * const copy = dynamicEntityCodec.read(JSON.parse(text))
   * ```
   */
  toJSON(): RawEntity {
    const members: [name: string, json: unknown][] = []
    if (this.etag !== undefined) members.push(['odata.etag', this.etag])
    members.push(['PartitionKey', this.partitionKey], ['RowKey', this.rowKey])
    if (this.timestamp !== undefined) members.push(['Timestamp', printDateTime(this.timestamp)])
    for (const [name, { type, value }] of this.properties) {
      const codec: EdmCodec = edmCodecOf(type)
      if (codec.annotates(value)) members.push([annotationName(name), `Edm.${type}`])
      const json: unknown = JSON.parse(codec.writeJson(value))
      // JSON.stringify writes -0 as 0; a Double may also be text.
      members.push([name, Object.is(json, -0) ? '-0.0' : json])
    }
    return Object.fromEntries(members)
  }
}
