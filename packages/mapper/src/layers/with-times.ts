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
    write(entity, draft) {
      if (draft.times === undefined) return codec.write(entity, draft)
      const changes = changesOf(entity, draft.times, true)
      const written = changed(model, entity, changes, (made) => codec.write(made, draft))
      return { ...written, changes: [...(written.changes ?? []), ...changes] }
    },

    writeChanges(entity, from, choose, times) {
      if (times === undefined) return codec.writeChanges(entity, from, choose)
      const run = (changes: readonly MemberChange[]) =>
        changed(model, entity, changes, (made) => codec.writeChanges(made, from, choose))
      const first = run(changesOf(entity, times, false))
      // A merge that changes nothing else is not sent.
      if (!first?.names.length) return first
      const changes = changesOf(entity, times, true)
      const written = run(changes)
      return written && { ...written, changes: [...(written.changes ?? []), ...changes] }
    },
  })
}
