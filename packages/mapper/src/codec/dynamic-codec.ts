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
  Changes,
  Choose,
  EntityRow,
  OriginalRow,
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

  writeChanges(
    entity: DynamicEntity,
    from: OriginalRow | undefined,
    choose: Choose,
  ): Changes | undefined {
    const chosen = chosenOf(entity.properties, { choose, from, stored: storedIn(from) })
    if (chosen.size === 0) return undefined
    const { row } = this.write(withProperties(entity, chosen))
    return { row, names: [...chosen.keys()] }
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

/** How properties are chosen. */
export interface Choice {
  readonly choose: Choose
  /** The row that the object was made from. */
  readonly from: OriginalRow | undefined
  /** Its properties. */
  readonly stored: Properties
  /** Describes a property; by default it has no other name than the stored one. */
  readonly describe?: (name: string) => WrittenProperty
  /** Whether a property that only the row has is one of the entity; by default all are. */
  readonly isOwn?: (name: string) => boolean
}

/** Returns the properties that are written. Those that only the row has are offered, too. */
export function chosenOf(properties: Properties, choice: Choice): Properties {
  const { choose, from, stored, describe = byName, isOwn = () => true } = choice
  const chosen = new Map<string, EntityProperty>()
  for (const [name, property] of properties) {
    const before = stored.get(name)
    const isEqual = before?.equals(property) === true
    const text = isEqual ? '' : memberOf(name, property)
    const isSame = isEqual || (before !== undefined && from?.initial?.get(name) === text)
    if (choose(describe(name), isSame ? '' : text, before)) {
      chosen.set(name, isSame && before ? before : property)
    }
  }
  const offer = (name: string) => {
    if (!properties.has(name) && isOwn(name)) choose(describe(name), undefined, stored.get(name))
  }
  for (const name of stored.keys()) offer(name)
  for (const name of from?.doubtful ?? []) offer(name)
  return chosen
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
