import type { EntityCodec, EntityKey, RawEntity, SentBody } from '@rowkey/odata'
import type { TypeFinder } from './type-finder.ts'

/** Writes and reads each entity of a union as what it is. */
export class UnionCodec implements EntityCodec<object> {
  readonly #types: TypeFinder

  /** @param types - finds what an entity is */
  constructor(types: TypeFinder) {
    this.#types = types
  }

  keyOf(target: object): EntityKey {
    return this.#types.ofKey(target).keyOf(target)
  }

  etagOf(entity: object): string | undefined {
    return this.#types.guess(entity)?.etagOf(entity)
  }

  write(entity: object): string {
    return this.#types.ofEntity(entity).write(entity)
  }

  writeShown(entity: object): string {
    const codec = this.#types.ofEntity(entity)
    return codec.writeShown?.(entity) ?? codec.write(entity)
  }

  writeChanges(entity: object): string | undefined {
    return this.#types.ofEntity(entity).writeChanges(entity)
  }

  checkMerge(entity: object, etag: string | undefined): void {
    this.#types.ofEntity(entity).checkMerge?.(entity, etag)
  }

  read(raw: RawEntity, etag?: string): object {
    return this.#types.ofRow(raw).read(raw, etag)
  }

  readPart(raw: RawEntity, etag?: string): object {
    return this.#types.ofRow(raw).readPart(raw, etag)
  }

  reveal(raw: RawEntity): RawEntity {
    return this.#types.ofRow(raw).reveal?.(raw) ?? raw
  }

  isPart(entity: object): boolean {
    return this.#types.guess(entity)?.isPart(entity) === true
  }

  hasUnread(entity: object): boolean {
    return this.#types.guess(entity)?.hasUnread?.(entity) === true
  }

  storedKeyOf(entity: object): EntityKey | undefined {
    return this.#types.guess(entity)?.storedKeyOf(entity)
  }

  lacksStored(entity: object): boolean {
    return this.#types.guess(entity)?.lacksStored(entity) === true
  }

  refresh(entity: object, fresh: object): void {
    this.#types.ofEntity(entity).refresh(entity, fresh)
  }

  written(entity: object, etag: string | undefined, sent?: SentBody): void {
    this.#types.guess(entity)?.written(entity, etag, sent)
  }

  forget(entity: object, sent?: SentBody): void {
    this.#types.guess(entity)?.forget(entity, sent)
  }
}
