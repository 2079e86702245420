import type { EntityModel } from '@rowkey/mapper'
import type { EntityKey, KeyCheck, RawEntity } from '@rowkey/odata'
import { type Mapping, mappingOf } from '../../packages/mapper/src/layers/mapping.ts'
import {
  etagOf,
  lacksStored,
  readObject,
  writePart,
  writeRow,
} from '../../packages/mapper/src/snapshot/object-row.ts'
import {
  type RowOrigin,
  type Snapshot,
  snapshotOf,
} from '../../packages/mapper/src/snapshot/snapshot.ts'

/** What a table does with the objects of one mapping. */
export interface ObjectCodec<Entity extends object> extends Mapping<Entity> {
  keyOf(entity: Entity): EntityKey
  write(entity: Entity): string
  writeShown(entity: Entity, snapshot: Snapshot | undefined): string
  writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined
  read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity
  etagOf(entity: Entity, snapshot: Snapshot | undefined): string | undefined
  lacksStored(entity: Entity, snapshot: Snapshot): boolean
  isKey(target: object): boolean
  showVersion(entity: Entity, etag: string | undefined): void
  refresh(entity: Entity, fresh: Entity): void
}

/** Reads and writes objects of a mapping, with their snapshots. */
export function objectCodec<Entity extends object>(mapping: Mapping<Entity>): ObjectCodec<Entity> {
  const { codec, shape } = mapping
  return {
    ...mapping,
    keyOf: (entity) => codec.keyOf(entity),
    write: (entity) => writeRow(codec, entity).row.text,
    writeShown: (entity, snapshot) =>
      writePart(codec, entity, snapshot, { kind: 'upsert' }).row.text,
    writeChanges(entity, snapshot) {
      const { row, names } = writePart(codec, entity, snapshot, { kind: 'merge' })
      return names.length === 0 ? undefined : row.text
    },
    read: (raw, etag, origin, isPart) => readObject(codec, raw, { etag, origin, isPart }),
    etagOf: (entity, snapshot) => etagOf(entity, shape.etagMember(entity), snapshot),
    lacksStored: (entity, snapshot) => lacksStored(codec, entity, snapshot),
    isKey: (target) => shape.isKey(target),
    showVersion: (entity, etag) => shape.showVersion(entity, etag),
    refresh(entity, fresh) {
      shape.refresh(entity, fresh, snapshotOf(fresh) as Snapshot)
    },
  }
}

/** Reads and writes objects of a model, with their snapshots. */
export function objectsOf<Entity extends object>(
  model: EntityModel<Entity>,
  checkKey?: KeyCheck,
): ObjectCodec<Entity> {
  return objectCodec(mappingOf(model, checkKey))
}
