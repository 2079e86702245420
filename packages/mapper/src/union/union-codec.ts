import type { DecodeError, EntityKey, RawEntity } from '@rowkey/odata'
import type { LaterWrite, RowCheck, RowCodec } from '../codec/row-codec.ts'
import { mapperDecodeError } from '../errors/codes.ts'
import { keyOfSnapshot, type RowOrigin, type Snapshot, snapshotOf } from '../snapshot/snapshot.ts'
import type { TypeFinder } from './type-finder.ts'

/** Writes and reads each entity of a union with the codec of its type. */
export class UnionCodec implements RowCodec<object> {
  readonly #types: TypeFinder

  /** @param types - finds the type of an entity */
  constructor(types: TypeFinder) {
    this.#types = types
  }

  keyOf(target: object): EntityKey {
    return this.#types.ofKey(target).keyOf(target)
  }

  isKey(target: object): boolean {
    const codec = this.#types.find(target)
    return codec === undefined ? this.#types.areKeys(target) : codec.isKey(target)
  }

  etagOf(entity: object, snapshot: Snapshot | undefined): string | undefined {
    return this.#types.guess(entity)?.etagOf(entity, snapshot)
  }

  write(entity: object): string {
    return this.#types.ofEntity(entity).write(entity)
  }

  writeShown(entity: object, snapshot: Snapshot | undefined): string {
    return this.#types.ofEntity(entity).writeShown(entity, snapshot)
  }

  writeChanges(entity: object, snapshot: Snapshot | undefined): string | undefined {
    return this.#types.ofEntity(entity).writeChanges(entity, snapshot)
  }

  checkMerge(
    entity: object,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): RowCheck | undefined {
    return this.#types.ofEntity(entity).checkMerge?.(entity, snapshot, etag)
  }

  checkReplace(entity: object): RowCheck | undefined {
    return this.#types.ofEntity(entity).checkReplace?.(entity)
  }

  writeLater(entity: object, snapshot: Snapshot): LaterWrite {
    // Only a codec that writes rows of the next version has read one.
    return this.#types.ofEntity(entity).writeLater!(entity, snapshot)
  }

  untouched(entity: object): ReadonlySet<string> {
    return this.#types.ofEntity(entity).untouched(entity)
  }

  propertyOf(entity: object, name: string): string {
    return this.#types.ofEntity(entity).propertyOf(entity, name)
  }

  lacksStored(entity: object, snapshot: Snapshot): boolean {
    return this.#types.guess(entity)?.lacksStored(entity, snapshot) === true
  }

  read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): object {
    return this.#types.ofRow(raw).read(raw, etag, origin, isPart)
  }

  reveal(raw: RawEntity): RawEntity {
    return this.#types.ofRow(raw).reveal?.(raw) ?? raw
  }

  /**
   * @throws {@link DecodeError} when the row now has another type
   */
  refresh(entity: object, fresh: object): void {
    const codec = this.#types.ofEntity(entity)
    if (this.#types.ofEntity(fresh) !== codec) throw ofAnotherType(fresh)
    codec.refresh(entity, fresh)
  }

  showVersion(entity: object, etag: string | undefined): void {
    this.#types.guess(entity)?.showVersion(entity, etag)
  }
}

function ofAnotherType(fresh: object): DecodeError {
  const snapshot = snapshotOf(fresh)
  const key = snapshot && keyOfSnapshot(snapshot)
  const place = JSON.stringify([key?.partitionKey, key?.rowKey])
  const message = `The row ${place} now has another type, so it cannot be reloaded into this object. Read it with get.`
  return mapperDecodeError({ code: 'UnknownType', message, details: { ...key } })
}
