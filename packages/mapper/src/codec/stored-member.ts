import { annotationName, type MemberText, memberText } from '@rowkey/odata'

/** One stored property, with what its reading and writing need made ready once. */
export interface StoredMember {
  /** The stored name. */
  readonly name: string
  /** The JSON member that carries the stored type. */
  readonly annotation: string
  /** What stands before the value in JSON text. */
  readonly member: MemberText
}

/** Makes one stored property ready. */
export function storedMember(name: string): StoredMember {
  return { name, annotation: annotationName(name), member: memberText(name) }
}
