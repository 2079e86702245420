import { writeDifference } from '../codec/difference.ts'
import { type MemberChange, over, type RowCodec, type WriteTimes } from '../codec/row-codec.ts'
import { changed } from '../model/changed.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { membersIn } from '../model/members-in.ts'
import { isSameValue } from '../place/same-value.ts'

/**
 * Stores the times that a model keeps, in place of those that its entities show. The object shows them once the write is
 * applied.
 *
 * @param codec - writes and reads everything else
 * @param model - the model with the times
 */
export function withTimes<Entity extends object>(
  codec: RowCodec<Entity>,
  model: EntityModel<object>,
): RowCodec<Entity> {
  const { createdAt, updatedAt } = model.times ?? {}
  if (model.times === undefined) return codec

  const changesOf = (
    entity: Entity,
    times: Partial<WriteTimes>,
    isWritten: boolean,
  ): readonly MemberChange[] => {
    const members = membersIn(entity)
    const made = [
      ...(createdAt ? [[createdAt.property, times.createdAt] as const] : []),
      ...(updatedAt && isWritten ? [[updatedAt.property, times.updatedAt] as const] : []),
    ]
    return made.flatMap(([member, value]) => {
      const given = members[member]
      return isSameValue(given, value) ? [] : [{ member, given, made: value }]
    })
  }

  return over(codec, {
    write(entity, from, times) {
      if (times === undefined) return codec.write(entity, from)
      const changes = changesOf(entity, times, true)
      const written = changed(model, entity, changes, (made) => codec.write(made, from))
      return { ...written, changes: [...(written.changes ?? []), ...changes] }
    },

    compare(entity, from, write) {
      const { kind, times } = write
      if (times === undefined) return codec.compare(entity, from, write)
      const first = changed(model, entity, changesOf(entity, times, false), (made) =>
        codec.compare(made, from, { kind }),
      )
      return {
        ...first,
        // A merge that changes nothing else is not sent.
        write() {
          const changes = changesOf(entity, times, true)
          const part = changed(model, entity, changes, (made) =>
            writeDifference(codec.compare(made, from, { kind }), from, kind),
          )
          return { ...part, changes: [...(part.changes ?? []), ...changes] }
        },
      }
    },
  })
}
