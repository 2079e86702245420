import type { EntityCodec, SentBody } from '@rowkey/odata'
import type { WriteResult } from '@rowkey/rest'
import type { EntityChange } from './entity-change.ts'
import { latestEtag } from './latest-etag.ts'

/** What a write sends, until it has ended. */
interface OpenWrite {
  readonly sent: SentBody | undefined
}

/** Writes of one object of which each began before another had ended. */
interface OverlappingWrites {
  /** Those that have not ended. */
  readonly open: Set<OpenWrite>
  /** How many of those that ended were applied, or may have been. */
  applied: number
  /** The ETags that they gave, in the order of their answers, which need not be that of the writes. */
  readonly etags: string[]
}

/** An object is in here only while writes of it are under way, so none is kept alive. */
const writesOf = new Map<object, OverlappingWrites>()

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
  readonly #write: OpenWrite
  readonly #writes: OverlappingWrites

  /**
   * Begins a write.
   *
   * @param codec - tells the object
   * @param change - what is about to be sent
   */
  constructor(codec: EntityCodec<Entity>, change: EntityChange<Entity>) {
    const { entity, sent } = change
    this.#codec = codec
    this.#change = change
    this.#write = { sent }
    this.#writes = (entity && writesOf.get(entity)) ?? { open: new Set(), applied: 0, etags: [] }
    this.#writes.open.add(this.#write)
    if (entity !== undefined) writesOf.set(entity, this.#writes)
  }

  /** The service has done it. */
  written({ etag }: WriteResult): void {
    const { entity, sent } = this.#change
    if (entity === undefined) return
    const { etags } = this.#writes
    if (etag !== undefined) etags.push(etag)
    const overlaps = this.#end() > 0
    this.#writes.applied++
    // A delete leaves the object as it was: its ETag is one that nothing has any more.
    if (sent === undefined && !overlaps) return
    if (!overlaps) this.#codec.written(entity, etag, sent)
    else {
      if (sent !== undefined) this.#codec.written(entity, latestEtag(etags))
      this.#codec.forget(entity, sent)
    }
  }

  /** The service has not done it, or nobody knows. */
  failed(error: unknown): void {
    const { entity, sent } = this.#change
    if (entity === undefined) return
    this.#end()
    const { mayHaveApplied } = Object(error) as { readonly mayHaveApplied?: unknown }
    if (mayHaveApplied !== true) return
    this.#writes.applied++
    this.#codec.forget(entity, sent)
  }

  /** How many other writes there are that overlap this one and were not refused so far. */
  #end(): number {
    const { open, applied } = this.#writes
    open.delete(this.#write)
    if (open.size === 0 && this.#change.entity !== undefined) writesOf.delete(this.#change.entity)
    return open.size + applied
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
  const writes = writesOf.get(entity)
  if (writes !== undefined) for (const { sent } of writes.open) codec.forget(entity, sent)
}
