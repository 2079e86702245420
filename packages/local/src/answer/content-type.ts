import type { MetadataLevel } from '../call/metadata-level.ts'

/** The media type of a JSON answer at a metadata level. */
export function printContentType(level: MetadataLevel): string {
  return `application/json;odata=${level};streaming=true;charset=utf-8`
}
