import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { RowOrigin, Snapshot } from '../snapshot/snapshot.ts'
import type { RowCheck, RowCodec } from './row-codec.ts'

/** Passes every call to another codec; subclasses change some of them. */
export class DelegatingCodec<Entity extends object> implements RowCodec<Entity> {
  /** The codec that does the work. */
  protected readonly codec: RowCodec<Entity>

  constructor(codec: RowCodec<Entity>) {
    this.codec = codec
  }

  keyOf(entity: Entity): EntityKey {
    return this.codec.keyOf(entity)
  }

  isKey(target: object): boolean {
    return this.codec.isKey(target)
  }

  etagOf(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    return this.codec.etagOf(entity, snapshot)
  }

  write(entity: Entity): string {
    return this.codec.write(entity)
  }

  writeShown(entity: Entity, snapshot: Snapshot | undefined): string {
    return this.codec.writeShown(entity, snapshot)
  }

  writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    return this.codec.writeChanges(entity, snapshot)
  }

  checkMerge(
    entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): RowCheck | undefined {
    return this.codec.checkMerge?.(entity, snapshot, etag)
  }

  untouched(entity: Entity): ReadonlySet<string> {
    return this.codec.untouched(entity)
  }

  propertyOf(entity: Entity, name: string): string {
    return this.codec.propertyOf(entity, name)
  }

  lacksStored(entity: Entity, snapshot: Snapshot): boolean {
    return this.codec.lacksStored(entity, snapshot)
  }

  read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity {
    return this.codec.read(raw, etag, origin, isPart)
  }

  reveal(raw: RawEntity): RawEntity {
    return this.codec.reveal?.(raw) ?? raw
  }

  refresh(entity: Entity, fresh: Entity): void {
    this.codec.refresh(entity, fresh)
  }

  showVersion(entity: Entity, etag: string | undefined): void {
    this.codec.showVersion(entity, etag)
  }
}
