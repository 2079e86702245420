import type { InputError } from '@rowkey/odata'
import { over, type RowCodec } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import type { Row } from '../member/row.ts'
import { furtherMember, memberJson } from '../member/stored-member.ts'
import { isComplete } from '../snapshot/snapshot.ts'
import { neverPasses, type WriteGuard } from '../snapshot/write-guard.ts'
import {
  canonicalEntity,
  type EntitySigner,
  signatureError,
  verifyEntity,
} from './verify-entity.ts'

/** What signing keys add to the mapping of a class. */
export interface Signature {
  /**
   * Signs entities when they are written, and verifies them when they are read. A signature covers the whole
   * entity, so a projection is rejected.
   *
   * @param codec - writes and reads the entities, without the signature
   */
  codec<Entity extends object>(codec: RowCodec<Entity>): RowCodec<Entity>
  /** Lets an entity be merged only into the row that it was read from: the signature covers the result. */
  readonly guard: WriteGuard
  /** Signs a whole row. */
  signed(row: Row): Row
}

/**
 * Returns what signing keys add to the mapping of a class. Only {@link SigningKeys} call it, so a program without
 * them does not load it.
 *
 * @param keys - the signing keys
 * @param className - the class, for messages
 */
export function signatureBy(keys: EntitySigner, className: string): Signature {
  return {
    codec: (codec) => withSignature(codec, keys, className),
    guard: signatureGuard(className),
    signed: (row) => signed(keys, row),
  }
}

function withSignature<Entity extends object>(
  codec: RowCodec<Entity>,
  keys: EntitySigner,
  className: string,
): RowCodec<Entity> {
  return over(codec, {
    write(entity, from, times) {
      const { row, changes } = codec.write(entity, from, times)
      return { row: signed(keys, row), changes }
    },

    compare(entity, from, write) {
      const compared = codec.compare(entity, from, write)
      return {
        ...compared,
        write(chosen) {
          const part = compared.write(chosen)
          if (part.names.length === 0) return part
          return { ...part, row: signed(keys, part.row, from?.row) }
        },
      }
    },

    read(raw, etag, isPart) {
      if (isPart) throw signatureError(className, raw, { failure: 'partial' })
      verifyEntity(keys, raw, className)
      return codec.read(raw, etag)
    },

    reveal(raw) {
      verifyEntity(keys, raw, className)
      return codec.reveal(raw)
    },
  })
}

/**
 * Signs a row.
 *
 * @param before - the row that it is merged into; absent when it is the whole row
 */
function signed(keys: EntitySigner, row: Row, before?: Row): Row {
  const { raw } = before?.merge(row) ?? row
  const signature = keys.sign(canonicalEntity(raw, keys.property))
  return row.with(memberJson(furtherMember(keys.property), 'Binary', signature))
}

function signatureGuard(className: string): WriteGuard {
  return {
    checkMerge(_, snapshot, etag) {
      const isKnown = snapshot !== undefined && isComplete(snapshot)
      if (isKnown && etag !== undefined && etag === snapshot.etag) return undefined
      const error = unsignable(className, 'is not merged with the ETag that it was read with')
      if (etag === undefined) throw error
      if (!isKnown) throw unsignable(className, 'was not read completely')
      if (etag === '*') throw error
      // The row may have changed since, and the service says that better.
      return neverPasses(error)
    },
  }
}

function unsignable(className: string, problem: string): InputError {
  return mapperInputError({
    code: 'UnsignableMerge',
    message:
      `This ${className} ${problem}, so the result of the merge is unknown, but the ` +
      'signature must cover it. Read the entity and merge it with its own ETag, or use replace ' +
      'or insertOrReplace.',
  })
}
