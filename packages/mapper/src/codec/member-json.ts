import {
  type EdmCodec,
  type EdmType,
  type EdmValue,
  edmCodecs,
  type MemberText,
  writeMember,
} from '@rowkey/odata'

/** One more member of a JSON object, with a comma before it and its type beside it where needed. */
export function memberJson(member: MemberText, type: EdmType, value: EdmValue): string {
  const codec: EdmCodec = edmCodecs[type]
  return `,${writeMember(member, codec, value)}`
}
