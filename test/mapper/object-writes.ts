import { Row } from '../../packages/mapper/src/member/row.ts'
import { NOWHERE, snapshotOf } from '../../packages/mapper/src/snapshot/snapshot.ts'
import {
  afterApplied,
  afterUncertain,
  reloadsOf,
  type WrittenObject,
} from '../../packages/mapper/src/snapshot/written-object.ts'
import type { ObjectCodec } from './object-codec.ts'

/** What a write of an entity sends. */
export interface SentBody {
  readonly body: string
  /** The whole entity; otherwise it is merged. */
  readonly whole: boolean
  /** The ETag that the write is conditional on. */
  readonly onto?: string
}

/** Writes what a merge sends of an entity as it is now. */
export function changesOf<Entity extends object>(
  codec: ObjectCodec<Entity>,
  entity: Entity,
): string | undefined {
  return codec.writeChanges(entity, snapshotOf(entity))
}

/** Lets an entity know a write that the service applied, as a table does. */
export function applied<Entity extends object>(
  codec: ObjectCodec<Entity>,
  entity: Entity,
  { etag, ...sent }: SentBody & { readonly etag: string },
): void {
  const snapshot = afterApplied(writeOf(codec, entity, sent), etag)
  codec.showVersion(entity, snapshot?.etag)
}

/** Lets an entity know a write whose response was lost, as a table does. */
export function lost<Entity extends object>(
  codec: ObjectCodec<Entity>,
  entity: Entity,
  sent: SentBody,
): void {
  afterUncertain(writeOf(codec, entity, sent))
}

function writeOf<Entity extends object>(
  codec: ObjectCodec<Entity>,
  entity: Entity,
  { body, whole, onto }: SentBody,
): WrittenObject {
  const key = codec.keyOf(entity)
  const [reloads, known] = [reloadsOf(entity), snapshotOf(entity)]
  const row = Row.written(key, body)
  const shape = { showVersion: () => {} }
  return { entity, origin: NOWHERE, key, row, whole, onto, reloads, known, shape, outcome: {} }
}
