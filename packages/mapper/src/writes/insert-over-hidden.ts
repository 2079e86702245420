import {
  type Call,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  type EntityRead,
  ETagMismatchError,
  findEntity,
  type WriteResult,
} from '@rowkey/rest'
import type { Rows } from '../rows/rows.ts'

/** An insert of an entity, which may replace a hidden row. */
interface HiddenInsert {
  readonly input: EntityRead
  /** Sends the insert. */
  send(call: Call): Promise<WriteResult>
  /** Replaces the row with this ETag instead. */
  replace(etag: string, call: Call): Promise<WriteResult>
}

/**
 * Inserts an entity. A hidden row that rejects the insert is replaced by its ETag, or the insert is sent again when the
 * row was swept in between.
 *
 * @param rows - tells whether the row is hidden
 * @param insert - the insert
 * @param call - the call
 * @throws the error of the insert when the row is not hidden, or changed since it was read
 */
export function insertOverHidden(
  rows: Rows,
  { input, send, replace }: HiddenInsert,
  call: Call,
): Promise<WriteResult> {
  return call.run(async () => {
    try {
      return await send(call)
    } catch (error) {
      if (!(error instanceof EntityAlreadyExistsError)) throw error
      const { now } = call.service
      const found = await call.atPrimary().perform(findEntity, input)
      if (found === undefined) return send(call)
      if (found.etag === undefined || !rows.hides(found.raw, now())) throw error
      rows.checkReplaced(found.raw, input, now())
      try {
        return await replace(found.etag, call)
      } catch (cause) {
        if (cause instanceof EntityNotFoundError) return send(call)
        throw cause instanceof ETagMismatchError ? error : cause
      }
    }
  })
}
