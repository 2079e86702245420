import {
  compareKeys,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  type EntityProperty,
  type InputError,
  type RawEntity,
} from '@rowkey/odata'
import {
  comparedWith,
  memberOf,
  type Properties,
  storedIn,
  valuesOf,
  withProperties,
} from '../codec/dynamic-codec.ts'
import type { EntityShape } from '../codec/entity-shape.ts'
import type {
  Compared,
  EntityRow,
  Member,
  OriginalRow,
  Part,
  PartWrite,
  RowCodec,
  Shown,
  Written,
  WrittenProperty,
} from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { ModelError } from '../errors/model-error.ts'
import { Row } from '../member/row.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { managedNames } from '../model/marks-of.ts'
import type { SelfMapped } from './self-mapped.ts'

/** The codec of a class that maps its entities itself; another codec handles key and ETag. */
export class SelfMappedCodec<Entity extends SelfMapped> implements RowCodec<Entity> {
  readonly #codec: RowCodec<Entity>
  readonly #title: string
  /** The stored names that Rowkey manages: type, version, signature. */
  readonly #besides: ReadonlySet<string>

  constructor(codec: RowCodec<Entity>, model: EntityModel<Entity>) {
    const other = model.columns.find(({ encryption, chunked }) => encryption ?? chunked)
    if (other !== undefined) throw mappedOtherwise(model.title, other.property)
    this.#codec = codec
    this.#title = model.title
    this.#besides = new Set(managedNames(model))
  }

  keyOf(entity: Entity): EntityKey {
    return this.#codec.keyOf(entity)
  }

  write(entity: Entity, from: OriginalRow | undefined): Written {
    const shown = valuesOf(this.#compared(entity, from))
    const isKept = (name: string) => from?.foreign?.has(name) && !shown.has(name)
    const kept = [...this.#storedIn(from)].filter(([name]) => isKept(name))
    return { row: this.#row(entity, new Map([...shown, ...kept])) }
  }

  compare(entity: Entity, from: OriginalRow | undefined, { kind }: PartWrite): Compared {
    if (kind === 'merge' && from?.partial && from.foreign === undefined) {
      throw partUnknown(this.#title)
    }
    const members = this.#compared(entity, from)
    const write = (chosen: readonly Member[]): Part => {
      const values = valuesOf(members, chosen)
      return { row: this.#row(entity, values), names: [...values.keys()] }
    }
    return { key: this.keyOf(entity), members, write }
  }

  read(raw: RawEntity, etag?: string, isPart = false): EntityRow<Entity> {
    const { entity, etag: current } = this.#codec.read(systemPart(raw), etag)
    entity.readEntity(dynamicEntityCodec.read(raw, current))
    const shown = ownMapping(() => this.#written(entity), dynamicEntityCodec.read(raw), isPart)
    return { entity, row: Row.read(raw), etag: current, ...shown }
  }

  reveal(raw: RawEntity): RawEntity {
    return raw
  }

  #row(entity: Entity, properties: Properties): Row {
    const key = this.keyOf(entity)
    return Row.written(key, dynamicEntityCodec.write(withProperties(key, properties)))
  }

  /** Compares the properties that the class writes with those of the row. */
  #compared(entity: Entity, from: OriginalRow | undefined): ReturnType<typeof comparedWith> {
    const describe = (name: string): WrittenProperty => ({
      name,
      label: `${this.#title}.${name}`,
      absence: UNSET,
    })
    const isOwn = (name: string) => !this.#besides.has(name) && !from?.foreign?.has(name)
    const stored = this.#storedIn(from)
    return comparedWith(from, this.#written(entity).properties, { stored, describe, isOwn })
  }

  /** Returns the properties of the row, without those that Rowkey manages. */
  #storedIn(from: OriginalRow | undefined): Properties {
    return new Map([...storedIn(from)].filter(([name]) => !this.#besides.has(name)))
  }

  #written(entity: Entity): DynamicEntity {
    const key = this.keyOf(entity)
    const stored = new DynamicEntity(key.partitionKey, key.rowKey)
    const ended: unknown = entity.writeEntity(stored)
    if (compareKeys(stored, key) === 0 && ended === undefined) return stored
    throw new ModelError({
      className: entity.constructor.name,
      property: 'writeEntity',
      problem:
        'It returned a value or changed the key. It must only set properties, and synchronously.',
    })
  }
}

/** Returns the shape of a class that maps its entities itself. */
export function selfMappedShape<Entity extends SelfMapped>(
  shape: EntityShape<Entity>,
): EntityShape<Entity> {
  return {
    ...shape,
    refresh(entity, fresh, read) {
      shape.refresh(entity, fresh, read)
      entity.readEntity(dynamicEntityCodec.read(read.row.raw, read.etag))
    },
  }
}

/** What `writeEntity` stores is compared property by property, and these members are stored otherwise. */
function mappedOtherwise(className: string, property: string): ModelError {
  const problem =
    'A class with writeEntity cannot have members with @Encrypted, @Text or @Blob. Use decorators and @Convert for all members, or none of these.'
  return new ModelError({ className, property, problem })
}

const UNSET = { problem: 'writeEntity no longer sets it', fix: 'set it in writeEntity' }

/** Returns the part of a row that a class does not map itself. */
function systemPart(raw: RawEntity): RawEntity {
  const { PartitionKey, RowKey, Timestamp } = raw
  return { PartitionKey, RowKey, Timestamp, 'odata.etag': raw['odata.etag'] }
}

/** Makes the error of a merge of a part that the class could not write when it was read. */
function partUnknown(title: string): InputError {
  const message = `This ${title} was read with select, and its writeEntity cannot write the selected part, so the changes are unknown. Read the whole entity first.`
  return mapperInputError({ code: 'ProjectedEntity', message })
}

/**
 * Compares the row that was just read with what the class would write for it. A merge must not store
 * values that the caller never set, and must not remove properties that the class never stored.
 *
 * @param map - returns the properties that the class writes; when it throws, all belong to other programs
 * @param read - the row, or its selected part
 */
export function ownMapping(
  map: () => DynamicEntity,
  { properties }: DynamicEntity,
  isPart = false,
): Shown {
  const known = mapped(map)
  if (known === undefined && isPart) return {}
  const initial = new Map<string, string>()
  for (const [name, property] of known ?? []) {
    const isSame = properties.get(name)?.equals(property)
    if (!isSame) initial.set(name, memberOf(name, property))
  }
  const foreign = new Set([...properties.keys()].filter((name) => !known?.has(name)))
  return { initial, foreign }
}

/**
 * Returns `undefined` when the entity cannot be written. A read ignores that; the next write reports it.
 */
function mapped(map: () => DynamicEntity): ReadonlyMap<string, EntityProperty> | undefined {
  try {
    return map().properties
  } catch {
    return undefined
  }
}
