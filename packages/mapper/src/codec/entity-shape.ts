import { DynamicEntity, timestampOfEtag } from '@rowkey/odata'
import { type KeyCodec, wholeKeyOf } from '../keys/key-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { mappedMembers } from '../model/marks-of.ts'
import { membersIn } from '../model/members-in.ts'
import { toDynamicEntity } from './dynamic-codec.ts'
import type { EntityRow } from './row-codec.ts'

/** Knows where the objects of one model show their key, their ETag and what is stored. */
export interface EntityShape<Entity extends object> {
  /**
   * Makes an entity from another object that the caller passes as one. Absent where every object is used as it is.
   *
   * @throws `InputError` when it cannot be an entity
   */
  toEntity?(given: object): Entity
  /** Whether a target in the shape of `{ partitionKey, rowKey }` is a key; otherwise it is an entity. */
  isKey(target: object): boolean
  /** Returns the member that shows the ETag; `undefined` when none does. */
  etagMember(entity: Entity): string | undefined
  /**
   * Puts the ETag of a successful write, and its Timestamp, on the caller's object. It never throws: an
   * object that cannot be assigned to, such as a frozen one, stays as it is.
   *
   * @param etag - the new ETag; `undefined` when it is unknown, and then the object carries none
   */
  showVersion(entity: Entity, etag: string | undefined): void
  /**
   * Copies everything that the model stores from a fresh entity to the caller's object. Members that are
   * not stored stay as they are.
   *
   * @param row - the row of the fresh entity, and its ETag
   */
  refresh(entity: Entity, fresh: Entity, row: Pick<EntityRow<Entity>, 'row' | 'etag'>): void
}

/** Returns the shape of the entities of a model. */
export function classShape<Entity extends object>(model: EntityModel<Entity>): EntityShape<Entity> {
  const { computed, etag, timestamp } = model
  const members = mappedMembers(model)
  const isOwnKey = isOwn('partitionKey', model.partitionKey) || isOwn('rowKey', model.rowKey)
  const assigned = members.filter((member) => !computed.includes(member))

  /** Whether `partitionKey` or `rowKey` is a member of the model but not its PartitionKey or RowKey. */
  function isOwn(name: string, codec: KeyCodec): boolean {
    const isMember = members.includes(name) || model.ignored.includes(name)
    return isMember && wholeKeyOf(codec) !== name
  }

  return {
    isKey: (target) => !isOwnKey && 'partitionKey' in target && 'rowKey' in target,

    etagMember: () => etag,

    showVersion(entity, current) {
      if (etag !== undefined && assigned.includes(etag)) Reflect.set(entity, etag, current)
      if (timestamp === undefined || !assigned.includes(timestamp) || current === undefined) return
      const modified = timestampOfEtag(current)
      if (modified !== undefined) Reflect.set(entity, timestamp, modified)
    },

    refresh(entity, fresh) {
      const [target, source] = [membersIn(entity), membersIn(fresh)]
      for (const name of assigned) {
        if (name in source) target[name] = source[name]
        else delete target[name]
      }
      // A projection shows the key that was read in place of a getter.
      for (const name of computed) {
        if (!Object.hasOwn(source, name)) Reflect.deleteProperty(target, name)
      }
    },
  }
}

/** The shape of rows without a declared class. */
export const dynamicShape: EntityShape<DynamicEntity> = {
  toEntity: (given) => (given instanceof DynamicEntity ? given : toDynamicEntity(given)),

  isKey: (target) =>
    !(target instanceof DynamicEntity) && 'partitionKey' in target && 'rowKey' in target,

  etagMember: () => 'etag',

  showVersion(entity, etag) {
    // Unlike an assignment, these skip frozen objects: the write has succeeded.
    if (etag === undefined) Reflect.deleteProperty(entity, 'etag')
    else Reflect.set(entity, 'etag', etag)
    const timestamp = etag === undefined ? undefined : timestampOfEtag(etag)
    if (timestamp !== undefined) Reflect.set(entity, 'timestamp', timestamp)
  },

  refresh(entity, { etag, timestamp, properties }) {
    entity.properties.clear()
    for (const [name, value] of properties) entity.properties.set(name, value)
    if (etag === undefined) delete entity.etag
    else entity.etag = etag
    if (timestamp === undefined) delete entity.timestamp
    else entity.timestamp = timestamp
  },
}
