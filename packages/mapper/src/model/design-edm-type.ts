import type { EdmType } from '@rowkey/odata'

/**
 * Returns the Edm type of a declared type, from the compiler's `design:type`.
 *
 * `Number` may be one of three types and `String` may be a Guid, so both are ignored. A class then means
 * the same with and without compiler metadata.
 */
export function designEdmType(designType: unknown): EdmType | undefined {
  if (typeof designType !== 'function') return undefined
  if (designType === Boolean) return 'Boolean'
  if (designType === BigInt) return 'Int64'
  if (isKindOf(designType, Date)) return 'DateTime'
  if (isKindOf(designType, Uint8Array)) return 'Binary'
  return undefined
}

function isKindOf(declared: { prototype?: unknown }, base: abstract new () => object): boolean {
  return declared === base || declared.prototype instanceof base
}
