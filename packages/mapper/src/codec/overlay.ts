import { annotationName, parseEntityObject, type RawEntity, type SentBody } from '@rowkey/odata'

/**
 * What is stored after a write, as far as this side knows: the body in the place of what was there,
 * or, when it was merged, over it.
 *
 * @param before - the entity as it was known; `undefined` when it was not
 */
export function overlay(before: RawEntity | undefined, sent: SentBody): RawEntity | string {
  return sent.whole || before === undefined ? sent.body : afterMerge(before, sent.body)
}

/** What is stored after a body was merged into an entity. */
export function afterMerge(before: RawEntity, body: string): RawEntity {
  const changes = parseEntityObject(body)
  const merged: Record<string, unknown> = { ...before }
  // A merge may change a property's type, and then no annotation of the old one may stay.
  for (const member of Object.keys(changes)) delete merged[annotationName(member)]
  return Object.assign(merged, changes)
}
