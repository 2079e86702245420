import {
  DynamicEntity,
  dynamicEntityCodec,
  type EdmValue,
  type EntityCodec,
  type EntityKey,
  type EntityProperty,
  type InputError,
  memberText,
  type RawEntity,
  timestampOfEtag,
} from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { cannotRemove } from '../errors/compose-errors.ts'
import { memberJson } from '../member/stored-member.ts'
import {
  isComplete,
  isEtagOfSnapshot,
  keepSnapshot,
  type RowOrigin,
  rowOf,
  type Snapshot,
  snapshotOf,
} from '../snapshot/snapshot.ts'
import { NOWHERE, type RowCodec } from './row-codec.ts'

/** The codec of the tables of rows without a declared class. */
export class DynamicCodec implements RowCodec<DynamicEntity> {
  readonly #codec: EntityCodec<DynamicEntity>

  /** @param codec - writes and reads the entities */
  constructor(codec: EntityCodec<DynamicEntity> = dynamicEntityCodec) {
    this.#codec = codec
  }

  toEntity(given: object): DynamicEntity {
    return given instanceof DynamicEntity ? given : toDynamicEntity(given)
  }

  keyOf(entity: DynamicEntity): EntityKey {
    return this.#codec.keyOf(entity)
  }

  isKey(target: object): boolean {
    if (target instanceof DynamicEntity) return false
    return 'partitionKey' in target && 'rowKey' in target
  }

  etagOf(entity: DynamicEntity, snapshot: Snapshot | undefined): string | undefined {
    const { etag } = entity
    const isOfAnotherRow = snapshot === undefined && isEtagOfSnapshot(entity, etag)
    return isOfAnotherRow ? undefined : etag
  }

  write(entity: DynamicEntity): string {
    return this.#codec.write(entity)
  }

  writeShown(entity: DynamicEntity): string {
    return this.#codec.write(entity)
  }

  writeChanges(entity: DynamicEntity, snapshot: Snapshot | undefined): string | undefined {
    if (snapshot === undefined) return this.#codec.write(entity)
    const stored = storedIn(snapshot)
    for (const name of [...stored.keys(), ...(snapshot.doubtful ?? [])]) {
      if (!entity.has(name)) throw removed(name, stored.get(name)?.type ?? 'String')
    }
    const same = unchangedIn(entity, stored, snapshot)
    const changed = new DynamicEntity(entity.partitionKey, entity.rowKey)
    for (const [name, property] of entity.properties) {
      if (!same.has(name)) changed.properties.set(name, property)
    }
    return changed.properties.size === 0 ? undefined : this.#codec.write(changed)
  }

  untouched(entity: DynamicEntity): ReadonlySet<string> {
    const snapshot = snapshotOf(entity)
    if (snapshot === undefined) return new Set()
    return unchangedIn(entity, storedIn(snapshot), {})
  }

  propertyOf(_entity: DynamicEntity, name: string): string {
    return name
  }

  lacksStored({ properties }: DynamicEntity, snapshot: Snapshot): boolean {
    if (!isComplete(snapshot)) return false
    return [...storedIn(snapshot).keys()].some((name) => !properties.has(name))
  }

  read(raw: RawEntity, etag?: string, origin: RowOrigin = NOWHERE, isPart = false): DynamicEntity {
    const entity = this.#codec.read(raw, etag)
    keepSnapshot(entity, { origin, row: raw, etag: entity.etag, partial: isPart })
    return entity
  }

  refresh(entity: DynamicEntity, fresh: DynamicEntity): void {
    const { etag, timestamp, properties } = fresh
    entity.properties.clear()
    for (const [name, value] of properties) entity.properties.set(name, value)
    if (etag === undefined) delete entity.etag
    else entity.etag = etag
    if (timestamp === undefined) delete entity.timestamp
    else entity.timestamp = timestamp
  }

  showVersion(entity: DynamicEntity, etag: string | undefined): void {
    // Unlike an assignment, these skip frozen objects: the write has succeeded.
    if (etag === undefined) Reflect.deleteProperty(entity, 'etag')
    else Reflect.set(entity, 'etag', etag)
    const timestamp = etag === undefined ? undefined : timestampOfEtag(etag)
    if (timestamp !== undefined) Reflect.set(entity, 'timestamp', timestamp)
  }
}

/** The stored properties of an entity by their names. */
export type Properties = ReadonlyMap<string, EntityProperty>

function storedIn(snapshot: Snapshot): Properties {
  return dynamicEntityCodec.read(rowOf(snapshot)).properties
}

/** Lists the properties with their stored value, and those with the default that a missing one showed. */
export function unchangedIn(
  { properties }: DynamicEntity,
  stored: Properties,
  { initial, doubtful }: Pick<Snapshot, 'initial' | 'doubtful'>,
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [name, property] of properties) {
    const isStored = !doubtful?.has(name) && stored.get(name)?.equals(property)
    const isInitial = initial?.has(name) && initial.get(name) === memberOf(name, property)
    if (isStored || isInitial) names.add(name)
  }
  return names
}

/** Writes one property as a member of a JSON object. */
export function memberOf(name: string, { type, value }: EntityProperty): string {
  return memberJson(memberText(name), type, value)
}

function removed(property: string, type: EntityProperty['type']): InputError {
  const problem = `'${property}' is or may be stored, but the entity has no value for it`
  return cannotRemove(problem, 'Use replace or modify, or give it a value.', { property, type })
}

/** A row as a plain object, as tables without a declared class accept it. */
export interface DynamicRow {
  /** PartitionKey. */
  readonly partitionKey: string
  /** RowKey. */
  readonly rowKey: string
  /** The ETag that writes are conditional on. */
  readonly etag?: string | undefined
  /** Ignored: the service sets it. */
  readonly timestamp?: Date | undefined
  /** Every other member is a property; null and undefined mean absent, and the value tells the type. */
  readonly [name: string]: EntityProperty | EdmValue | null | undefined
}

function toDynamicEntity(given: object): DynamicEntity {
  const { partitionKey, rowKey, etag, timestamp: _, ...properties }: Partial<DynamicRow> = given
  if (typeof partitionKey !== 'string' || typeof rowKey !== 'string') {
    throw mapperInputError({
      code: 'InvalidEntity',
      message:
        'A row of a table without a declared class needs its key: pass { partitionKey, rowKey, … }, or a ' +
        'DynamicEntity.',
    })
  }
  const entity = new DynamicEntity(partitionKey, rowKey, properties)
  if (typeof etag === 'string') entity.etag = etag
  return entity
}
