import { keyOfRaw, type RawEntity } from '@rowkey/odata'
import { over, type RowCodec } from '../codec/row-codec.ts'
import { unknownType } from '../errors/compose-errors.ts'
import { furtherMember, memberJson } from '../member/stored-member.ts'
import { hasDiscriminator } from '../model/discriminator.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { marksOf } from '../model/marks-of.ts'

/**
 * Stores entities with their type and version.
 *
 * A merge never sends them: the row already has them, and a row with other values has another type or
 * version.
 *
 * @param codec - writes and reads everything else
 * @param model - the model with the marks
 */
export function withMarks<Entity extends object>(
  codec: RowCodec<Entity>,
  model: EntityModel<object>,
): RowCodec<Entity> {
  const marks = marksOf(model)
  if (marks.length === 0) return codec
  const members = marks
    .map(({ name, type, value }) => memberJson(furtherMember(name), type, value))
    .join('')
  return over(codec, {
    write(entity, draft) {
      const { key, body } = codec.write(entity, draft)
      return { key, body: `${body.slice(0, -1)}${members}}` }
    },

    read(raw, etag, isPart) {
      checkType(model, raw)
      return codec.read(raw, etag, isPart)
    },
  })
}

function checkType({ discriminator, title }: EntityModel<object>, raw: RawEntity): void {
  if (discriminator === undefined || hasDiscriminator(raw, discriminator)) return
  throw unknownType(keyOfRaw(raw), [
    `${title} (${discriminator.property} '${discriminator.value}')`,
  ])
}
