import type { EdmCodec } from '../edm/edm-codec.ts'
import { edmCodecOf } from '../edm/edm-codecs.ts'
import { EDM_TYPES, type EdmType, type EdmValue } from '../edm/edm-type.ts'
import { stringCodec, writeJsonText } from '../edm/scalars.ts'
import type { DynamicEntity } from './dynamic-entity.ts'
import { checkKeyText } from './entity-key.ts'
import { annotationName, type PropertyNameCheck } from './property-name.ts'

/**
 * The text before a property's value in entity JSON, made once per name so that writing an entity only
 * joins texts.
 */
export interface MemberText {
  /** `"name":`, for a value whose JSON shows its type. */
  readonly plain: string
  /** `"name@odata.type":"Edm.Int64","name":`, for a value that needs an annotation. */
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
 * Writes a property as its JSON member, or as two members where the type needs an annotation.
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

/** The texts of names are kept, since they recur with every entity; this many at most. */
const KEPT_NAMES = 1_000
const keptTexts = new Map<string, MemberText>()

/**
 * Writes the JSON of an entity, its key included.
 *
 * @throws `InputError` (`InvalidEntityKey`) when no request can carry the key, and
 * (`InvalidPropertyName`) when `checkName` rejects a name
 */
export function writeEntityJson(entity: DynamicEntity, checkName: PropertyNameCheck): string {
  checkKeyText(entity)
  const partitionKey = stringCodec.writeJson(entity.partitionKey)
  const rowKey = stringCodec.writeJson(entity.rowKey)
  let text = `{"PartitionKey":${partitionKey},"RowKey":${rowKey}`
  for (const [name, { type, value }] of entity.properties) {
    checkName(name)
    text += `,${writeMember(textOf(name), edmCodecOf(type), value)}`
  }
  return `${text}}`
}

function textOf(name: string): MemberText {
  const kept = keptTexts.get(name)
  if (kept !== undefined) return kept
  if (keptTexts.size >= KEPT_NAMES) keptTexts.clear()
  const text = memberText(name)
  keptTexts.set(name, text)
  return text
}
