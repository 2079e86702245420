import type { EntityCodec, EntityKey, RawEntity, SentBody } from '@rowkey/odata'

/** A codec that leaves everything to another one; subclasses do some of it otherwise. */
export class DelegatingCodec<Entity extends object> implements EntityCodec<Entity> {
  /** The codec that does it. */
  protected readonly codec: EntityCodec<Entity>

  constructor(codec: EntityCodec<Entity>) {
    this.codec = codec
  }

  keyOf(entity: Entity): EntityKey {
    return this.codec.keyOf(entity)
  }

  etagOf(entity: Entity): string | undefined {
    return this.codec.etagOf(entity)
  }

  write(entity: Entity): string {
    return this.codec.write(entity)
  }

  writeShown(entity: Entity): string {
    return this.codec.writeShown?.(entity) ?? this.codec.write(entity)
  }

  writeChanges(entity: Entity): string | undefined {
    return this.codec.writeChanges(entity)
  }

  checkMerge(entity: Entity, etag: string | undefined): void {
    this.codec.checkMerge?.(entity, etag)
  }

  read(raw: RawEntity, etag?: string): Entity {
    return this.codec.read(raw, etag)
  }

  readPart(raw: RawEntity, etag?: string): Entity {
    return this.codec.readPart(raw, etag)
  }

  reveal(raw: RawEntity): RawEntity {
    return this.codec.reveal?.(raw) ?? raw
  }

  isPart(entity: Entity): boolean {
    return this.codec.isPart(entity)
  }

  hasUnread(entity: Entity): boolean {
    return this.codec.hasUnread?.(entity) === true
  }

  storedKeyOf(entity: Entity): EntityKey | undefined {
    return this.codec.storedKeyOf(entity)
  }

  lacksStored(entity: Entity): boolean {
    return this.codec.lacksStored(entity)
  }

  refresh(entity: Entity, fresh: Entity): void {
    this.codec.refresh(entity, fresh)
  }

  written(entity: Entity, etag: string | undefined, sent?: SentBody): void {
    this.codec.written(entity, etag, sent)
  }

  forget(entity: Entity, sent?: SentBody): void {
    this.codec.forget(entity, sent)
  }
}
