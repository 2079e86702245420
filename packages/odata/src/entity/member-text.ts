import type { EdmCodec } from '../edm/edm-codec.ts'
import { EDM_TYPES, type EdmType, type EdmValue } from '../edm/edm-type.ts'
import { writeJsonText } from '../edm/json-text.ts'
import { annotationName } from './annotation.ts'

/**
 * What stands before a property's value in entity JSON, made once per name so that writing an
 * entity only joins texts.
 */
export interface MemberText {
  /** `"name":`, for a value whose JSON shows its type. */
  readonly plain: string
  /** `"name@odata.type":"Edm.Int64","name":`, for one whose type must be said. */
  annotated(type: EdmType): string
}

/**
 * Makes the {@link MemberText} of a stored name; keep it, and use it for every entity.
 *
 * @param name - the stored name, checked before
 */
export function memberText(name: string): MemberText {
  const plain = `${writeJsonText(name)}:`
  const annotation = writeJsonText(annotationName(name))
  const byType = new Map<EdmType, string>()
  for (const type of EDM_TYPES) byType.set(type, `${annotation}:"Edm.${type}",${plain}`)
  return { plain, annotated: (type) => byType.get(type) as string }
}

/**
 * A property as its JSON member, or its two members where the type must be said.
 *
 * @param text - the property's {@link MemberText}
 * @param codec - the codec of its type
 * @param value - a value that the codec has accepted
 *
 * @example
 * ```ts
 * writeMember(memberText('points'), edmCodecs.Int64, 5n) // '"points@odata.type":"Edm.Int64","points":"5"'
 * ```
 */
export function writeMember<Type extends EdmType>(
  text: MemberText,
  codec: EdmCodec<Type>,
  value: EdmValue<Type>,
): string {
  const before = codec.annotates(value) ? text.annotated(codec.type) : text.plain
  return before + codec.writeJson(value)
}
