import {
  DynamicEntity,
  dynamicEntityCodec,
  type EdmValue,
  type EntityCodec,
  type EntityKey,
  type EntityProperty,
  type RawEntity,
} from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { Row } from '../member/row.ts'
import { furtherMember, memberJson } from '../member/stored-member.ts'
import { accessorPairs } from '../model/accessor-pairs.ts'
import type {
  Compared,
  EntityRow,
  Member,
  OriginalRow,
  Part,
  RowCodec,
  Written,
  WrittenProperty,
} from './row-codec.ts'

/** The codec of the tables of rows without a declared class. */
export class DynamicCodec implements RowCodec<DynamicEntity> {
  readonly #codec: EntityCodec<DynamicEntity>

  /** @param codec - writes and reads the entities */
  constructor(codec: EntityCodec<DynamicEntity> = dynamicEntityCodec) {
    this.#codec = codec
  }

  keyOf(entity: DynamicEntity): EntityKey {
    return this.#codec.keyOf(entity)
  }

  write(entity: DynamicEntity): Written {
    return { row: Row.written(this.keyOf(entity), this.#codec.write(entity)) }
  }

  compare(entity: DynamicEntity, from: OriginalRow | undefined): Compared {
    const members = comparedWith(from, entity.properties, { stored: storedIn(from) })
    const key = this.keyOf(entity)
    return { key, members, write: (chosen) => this.#part(entity, valuesOf(members, chosen)) }
  }

  #part(entity: DynamicEntity, values: Properties): Part {
    const { row } = this.write(withProperties(entity, values))
    return { row, names: [...values.keys()] }
  }

  read(raw: RawEntity, etag?: string): EntityRow<DynamicEntity> {
    const entity = this.#codec.read(raw, etag)
    return { entity, row: Row.read(raw), etag: entity.etag }
  }

  reveal(raw: RawEntity): RawEntity {
    return raw
  }
}

/** Properties by their stored names. */
export type Properties = ReadonlyMap<string, EntityProperty>

/** Returns the properties of the row that an object was made from. */
export function storedIn(from: OriginalRow | undefined): Properties {
  return from === undefined ? new Map() : dynamicEntityCodec.read(from.row.raw).properties
}

/** Returns an entity with the same key and other properties. */
export function withProperties(key: EntityKey, properties: Properties): DynamicEntity {
  const made = new DynamicEntity(key.partitionKey, key.rowKey)
  for (const [name, property] of properties) made.properties.set(name, property)
  return made
}

/** How properties are compared. */
interface Comparison {
  /** The properties of the row that the object was made from. */
  readonly stored: Properties
  /** Describes a property; by default it has no other name than the stored one. */
  readonly describe?: (name: string) => WrittenProperty
  /** Whether a property that only the row has is one of the entity; by default all are. */
  readonly isOwn?: (name: string) => boolean
}

/** A property beside the stored one, and what is written: the stored value where both are the same. */
interface PropertyMember extends Member {
  readonly value?: EntityProperty
}

/** Compares properties with those of a row, and adds those that only the row has, or may have. */
export function comparedWith(
  from: OriginalRow | undefined,
  properties: Properties,
  { stored, describe = byName, isOwn = () => true }: Comparison,
): readonly PropertyMember[] {
  const members = Array.from(properties, ([name, value]): PropertyMember => {
    const property = describe(name)
    const before = stored.get(name)
    const text = before?.equals(value) ? undefined : memberOf(name, value)
    const isInitial = text !== undefined && from?.initial?.get(name) === text
    return before !== undefined && (text === undefined || isInitial)
      ? { property, stored: before, state: 'same', value: before }
      : { property, stored: before, state: 'changed', text, value }
  })
  const others = new Set([...stored.keys(), ...(from?.doubtful ?? [])])
  for (const name of others) {
    if (properties.has(name) || !isOwn(name)) continue
    members.push({ property: describe(name), stored: stored.get(name), state: 'missing' })
  }
  return members
}

/** Returns the values of the members that are chosen, or of all. */
export function valuesOf(
  members: readonly PropertyMember[],
  chosen: readonly Member[] = members,
): Properties {
  const values = new Map<string, EntityProperty>()
  for (const member of members) {
    const { property, value } = member
    if (value !== undefined && chosen.includes(member)) values.set(property.name, value)
  }
  return values
}

function byName(name: string): WrittenProperty {
  return { name, label: name }
}

/** Writes one property as a member of a JSON object. */
export function memberOf(name: string, { type, value }: EntityProperty): string {
  return memberJson(furtherMember(name), type, value)
}

/** A row as a plain object, as tables without a declared class accept it. */
export interface DynamicRow {
  /** PartitionKey. */
  readonly partitionKey: string
  /** RowKey. */
  readonly rowKey: string
  /** The ETag that writes are conditional on. */
  readonly etag?: string | undefined
  /** When the row was last changed, beside the `etag` of a row that was read; the service sets it. */
  readonly timestamp?: Date | undefined
  /** Every other member is a property; null and undefined mean absent, and the value tells the type. */
  readonly [name: string]: EntityProperty | EdmValue | null | undefined
}

/** The members of a row that are not properties. */
const SHOWN: ReadonlySet<string> = new Set(['partitionKey', 'rowKey', 'etag', 'timestamp'])

/**
 * Makes an entity from a row as a plain object.
 *
 * @throws InputError (`InvalidEntity`) without a key, and for members that would be lost
 */
export function toDynamicEntity(given: object): DynamicEntity {
  const { partitionKey, rowKey, etag, timestamp, ...properties }: Partial<DynamicRow> = given
  if (typeof partitionKey !== 'string' || typeof rowKey !== 'string') {
    throw mapperInputError({
      code: 'InvalidEntity',
      message:
        'A row of a table without a declared class needs its key: pass { partitionKey, rowKey, … }, or a ' +
        'DynamicEntity.',
    })
  }
  // A row that was read has both.
  if (typeof etag !== 'string' && (etag ?? timestamp ?? undefined) !== undefined) {
    throw mapperInputError({
      code: 'InvalidEntity',
      message:
        'A plain row has etag and timestamp only if it was read. Rename them, or pass a DynamicEntity.',
    })
  }
  for (const [name, className] of accessorPairs(given)) {
    if (SHOWN.has(name)) continue
    throw mapperInputError({
      code: 'InvalidEntity',
      message: `${className}.${name} is a getter and setter, which a table without a declared class would not store. Pass a plain object.`,
    })
  }
  const entity = new DynamicEntity(partitionKey, rowKey, properties)
  if (typeof etag === 'string') entity.etag = etag
  return entity
}
