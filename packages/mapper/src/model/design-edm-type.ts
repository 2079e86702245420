import type { EdmType } from '@rowkey/odata'

/**
 * The Edm type that a declared type stands for, from the compiler's `design:type`.
 *
 * `Number` may be any of three types and `String` may hold a Guid, so neither says anything; a
 * class then means the same with and without compiler metadata.
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
