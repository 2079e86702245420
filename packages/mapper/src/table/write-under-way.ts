import type { EntityCodec, SentBody } from '@rowkey/odata'
import type { WriteResult } from '@rowkey/rest'
import type { EntityChange } from './entity-change.ts'
import { latestEtag } from './latest-etag.ts'

/** Writes of one object of which each began before another had ended. */
interface OverlappingWrites {
  /** Those that have not ended. */
  readonly open: Set<WriteUnderWay<object>>
  /** How many of those that ended were applied, or may have been. */
  applied: number
  /** The ETags that they gave, in the order of their answers, which need not be that of the writes. */
  readonly etags: string[]
}

/** The first of the writes of each object that are under way, so that none is kept alive. */
const firstOf = new Map<object, WriteUnderWay<object>>()

/**
 * One write from its beginning to its end, and what that means for the object that is written.
 *
 * Of writes that overlap nobody knows which was applied last. The object then carries the ETag of the
 * version with the latest Timestamp, or none where ETags hold no Timestamp; and what is stored of it
 * counts as unknown, so that the next merge leaves nothing out.
 */
export class WriteUnderWay<Entity extends object> {
  readonly #codec: EntityCodec<Entity>
  readonly #change: EntityChange<Entity>
  /** Most writes are alone, and need none of this. */
  #overlapping: OverlappingWrites | undefined

  /**
   * Begins a write.
   *
   * @param codec - tells the object
   * @param change - what is about to be sent
   */
  constructor(codec: EntityCodec<Entity>, change: EntityChange<Entity>) {
    const { entity } = change
    this.#codec = codec
    this.#change = change
    if (entity === undefined) return
    const first = firstOf.get(entity)
    if (first === undefined) firstOf.set(entity, this)
    else this.#overlapping = first.#overlappedBy(this)
  }

  /** What is sent by this write, which was the first, and by those that overlap it and have not ended. */
  get sent(): readonly (SentBody | undefined)[] {
    return Array.from(this.#overlapping?.open ?? [this], (write) => write.#change.sent)
  }

  /** The service has done it. */
  written({ etag }: WriteResult): void {
    const { entity, sent } = this.#change
    if (entity === undefined) return
    const overlapping = this.#end(entity)
    if (overlapping !== undefined && etag !== undefined) overlapping.etags.push(etag)
    const isOverlapped =
      overlapping !== undefined && overlapping.open.size + overlapping.applied > 0
    if (overlapping !== undefined) overlapping.applied++
    if (sent === undefined) {
      // A delete leaves the object its ETag, which nothing has any more; what it holds is not stored.
      this.#codec.forget(entity)
    } else if (isOverlapped) {
      this.#codec.forget(entity, sent)
      this.#codec.written(entity, latestEtag(overlapping.etags))
    } else {
      this.#codec.written(entity, etag, sent)
    }
  }

  /** The service has not done it, or nobody knows. */
  failed(error: unknown): void {
    const { entity, sent } = this.#change
    if (entity === undefined) return
    const overlapping = this.#end(entity)
    const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
    if (mayHaveApplied !== true) return
    if (overlapping !== undefined) overlapping.applied++
    this.#codec.forget(entity, sent)
  }

  /** Takes in another write, which began while this one, the first, or one that overlaps it is under way. */
  #overlappedBy(write: WriteUnderWay<object>): OverlappingWrites {
    this.#overlapping ??= { open: new Set([this]), applied: 0, etags: [] }
    this.#overlapping.open.add(write)
    return this.#overlapping
  }

  /** Ends it; what it gives is `undefined` when no other write began before. */
  #end(entity: Entity): OverlappingWrites | undefined {
    const overlapping = this.#overlapping
    overlapping?.open.delete(this)
    if (overlapping === undefined || overlapping.open.size === 0) firstOf.delete(entity)
    return overlapping
  }
}

/**
 * Lets what is stored of an object count as unknown when writes of it are under way, so that a merge
 * which is made now leaves nothing out.
 *
 * @param codec - tells the object
 * @param entity - the object
 */
export function doubtWhileUnderWay<Entity extends object>(
  codec: EntityCodec<Entity>,
  entity: Entity,
): void {
  for (const sent of firstOf.get(entity)?.sent ?? []) codec.forget(entity, sent)
}
