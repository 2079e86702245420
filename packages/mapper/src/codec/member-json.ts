import {
  type EdmCodec,
  type EdmType,
  type EdmValue,
  edmCodecs,
  type MemberText,
  writeMember,
} from '@rowkey/odata'

/** Writes one more member of a JSON object: a comma, the member, and its type where needed. */
export function memberJson(member: MemberText, type: EdmType, value: EdmValue): string {
  const codec: EdmCodec = edmCodecs[type]
  return `,${writeMember(member, codec, value)}`
}
