import type { DecodeError } from '@rowkey/odata'
import { mapperDecodeError } from '../errors/codes.ts'
import { keyText } from '../errors/compose-errors.ts'
import type { Mapping } from '../layers/mapping.ts'
import type { Row } from '../member/row.ts'
import type { TypeFinder } from './type-finder.ts'

/** Maps each row and each entity of a union by its type. */
export function unionMapping(types: TypeFinder): Mapping<object> {
  // Only some targets tell a type: a stored key does not, unless an entity of the union looks like one.
  const typed = (target: unknown) => {
    const given = Object(target)
    return Array.isArray(given) || types.areKeys(given) ? types.find(given) : types.ofKey(given)
  }
  const codecOf = (entity: object) => types.ofEntity(entity).codec
  return {
    codec: {
      keyOf: (target) => types.ofKey(target).codec.keyOf(target),
      shownKeyOf(target) {
        const { codec } = types.ofKey(target)
        return codec.shownKeyOf?.(target) ?? codec.keyOf(target)
      },
      write: (entity, draft) => codecOf(entity).write(entity, draft),
      writeChanges: (entity, ...parts) => codecOf(entity).writeChanges(entity, ...parts),
      read: (raw, etag, isPart) => types.ofRow(raw).codec.read(raw, etag, isPart),
      reveal: (raw) => types.ofRow(raw).codec.reveal(raw),
    },
    shape: {
      isKey(target) {
        const type = types.find(target)
        return type === undefined ? types.areKeys(target) : type.shape.isKey(target)
      },

      etagMember: (entity) => types.guess(entity)?.shape.etagMember(entity),

      showVersion(entity, etag) {
        types.guess(entity)?.shape.showVersion(entity, etag)
      },

      refresh(entity, fresh, read) {
        const { shape } = types.ofEntity(entity)
        if (types.ofEntity(fresh).shape !== shape) throw ofAnotherType(read.row)
        shape.refresh(entity, fresh, read)
      },
    },
    guard: {
      checkMerge: (entity, snapshot, etag) =>
        types.ofEntity(entity).guard.checkMerge?.(entity, snapshot, etag),
      checkReplace: (entity) => types.ofEntity(entity).guard.checkReplace?.(entity),
    },
    rules: [],
    of: typed,
    // Only a mapping that writes rows of the next version has read one.
    writeLater: (entity, ...parts) => types.ofEntity(entity).writeLater!(entity, ...parts),
    ...(types.keepsTimes && { timesOf: (entity) => types.ofEntity(entity).timesOf?.(entity) }),
  }
}

function ofAnotherType({ key }: Row): DecodeError {
  const message = `The row ${keyText(key)} now has another type, so it cannot be reloaded into this object. Read it with get.`
  return mapperDecodeError({ code: 'UnknownType', message, details: { ...key } })
}
