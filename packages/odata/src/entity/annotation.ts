/** How an annotation of the whole entity begins, such as `odata.etag`. */
const ENTITY_ANNOTATION = 'odata.'
/** How the last part of an annotation of one property begins, such as `age@odata.type`. */
const PROPERTY_ANNOTATION = '@odata.'

/**
 * Returns whether a member of entity JSON is an annotation of the protocol: it begins with `odata.`, or
 * ends in `@odata.` and a word. Every other member is a property, also with a dot or a colon in its name.
 *
 * @param member - the name of the member
 *
 * @example
 * ```ts
 * isAnnotation('odata.etag') // true
 * isAnnotation('age@odata.type') // true
 * isAnnotation('sensor.odata.count') // false
 * ```
 */
export function isAnnotation(member: string): boolean {
  if (member.startsWith(ENTITY_ANNOTATION)) return true
  const at = member.lastIndexOf('@')
  return at >= 0 && member.startsWith(PROPERTY_ANNOTATION, at)
}

/**
 * Returns the name of the member that says the type of a property: `name@odata.type`.
 *
 * @param name - the stored name of the property
 */
export function annotationName(name: string): string {
  return `${name}@odata.type`
}
