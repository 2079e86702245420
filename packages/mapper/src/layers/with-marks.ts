import { over, type RowCodec } from '../codec/row-codec.ts'
import { SchemaError } from '../errors/schema-error.ts'
import { furtherMember, memberJson } from '../member/stored-member.ts'
import { typeRule } from '../model/discriminator.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { marksOf, shownType } from '../model/marks-of.ts'
import { membersIn } from '../model/members-in.ts'

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
  const shown = shownType(model)
  const members = marks
    .filter(({ name }) => name !== shown?.name)
    .map(({ name, type, value }) => memberJson(furtherMember(name), type, value))
    .join('')
  const type = typeRule(model)
  return over(codec, {
    write(entity, from) {
      if (shown !== undefined) checkShown(membersIn(entity)[shown.property])
      const { row, changes } = codec.write(entity, from)
      return { row: row.with(members), changes }
    },

    compare(entity, from, write) {
      const compared = codec.compare(entity, from, write)
      const value = shown && membersIn(entity)[shown.property]
      return {
        ...compared,
        write(chosen) {
          const isUpsert = write.kind === 'upsert'
          if (shown !== undefined && (isUpsert || value !== undefined)) checkShown(value)
          const part = compared.write(chosen)
          return isUpsert ? { ...part, row: part.row.with(members) } : part
        },
      }
    },

    read(raw, etag, isPart) {
      type?.check?.(raw)
      return codec.read(raw, etag, isPart)
    },
  })

  function checkShown(value: unknown): void {
    const { discriminator, title } = model
    if (shown === undefined || value === discriminator?.value) return
    const message = `must be '${discriminator?.value}', which tells the rows of ${title} from others`
    const issues = [{ path: shown.property, message }]
    throw new SchemaError({ model: title, action: 'written', issues })
  }
}
