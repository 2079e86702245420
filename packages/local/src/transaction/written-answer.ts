import type { Answer } from '../answer/answer.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'

/** The answer to a write with nothing to show: the new ETag, or none when the row is gone. */
export function writtenAnswer(written: StoredEntity | undefined): Answer {
  return { status: 204, headers: written === undefined ? {} : { etag: written.etag }, body: '' }
}
