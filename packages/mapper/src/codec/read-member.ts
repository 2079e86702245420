import {
  DecodeError,
  EDM_TYPES,
  type EdmType,
  edmCodecs,
  inferEdmType,
  type RawEntity,
} from '@rowkey/odata'
import type { StoredMember } from './stored-member.ts'
import type { StoredValue } from './widen.ts'

const annotatedTypes: ReadonlyMap<unknown, EdmType> = new Map(
  EDM_TYPES.map((type) => [`Edm.${type}`, type]),
)

/**
 * Reads one stored property of a row.
 *
 * @param label - `Class.member`, for messages
 * @returns `undefined` when it is not stored
 * @throws {@link DecodeError} (`UnreadableProperty`) when it is not a value of its type
 */
export function readMember(
  { name, annotation }: StoredMember,
  raw: RawEntity,
  label: string,
): StoredValue | undefined {
  const json = raw[name]
  // An absent `toString` or `__proto__` is found on Object.prototype: neither is a JSON scalar.
  if (json === undefined || typeof json === 'object' || typeof json === 'function') return undefined
  const type = typeOnWire(json, raw[annotation], label)
  return { type, value: edmCodecs[type].readJson(json, label) }
}

function typeOnWire(json: unknown, annotation: unknown, label: string): EdmType {
  // Whole Doubles come annotated, so what is left shows its type.
  if (annotation === undefined) return inferEdmType(json) ?? 'String' // it has one
  const type = annotatedTypes.get(annotation)
  if (type !== undefined) return type
  throw new DecodeError({
    code: 'UnreadableProperty',
    details: { property: label },
    message: `${label} is stored with the unknown type '${String(annotation)}'. Tables have the types ${EDM_TYPES.join(', ')}.`,
  })
}
