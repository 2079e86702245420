import { annotationName, type MemberText, memberText } from '@rowkey/odata'

/** The names of one stored property, prepared for reading and writing. */
export interface StoredMember {
  /** The stored name. */
  readonly name: string
  /** The JSON member that carries the stored type. */
  readonly annotation: string
  /** The JSON text before the value. */
  readonly member: MemberText
}

/** Prepares one stored property. */
export function storedMember(name: string): StoredMember {
  return { name, annotation: annotationName(name), member: memberText(name) }
}
