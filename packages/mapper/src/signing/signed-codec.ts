import { type InputError, memberText, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { memberJson } from '../member/stored-member.ts'
import {
  afterMerge,
  isComplete,
  type RowOrigin,
  rowOf,
  type Snapshot,
} from '../snapshot/snapshot.ts'
import { canonicalEntity, type EntitySigner, partialError, verifyEntity } from './verify-entity.ts'

/** The options of a {@link SignedCodec}. */
interface SignedCodecParts<Entity extends object> {
  /** Writes and reads the entity, without the signature. */
  readonly codec: RowCodec<Entity>
  /** The class, for messages. */
  readonly className: string
  /** The signing keys. */
  readonly keys: EntitySigner
}

/** Signs entities when they are written, and verifies them when they are read. */
export class SignedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #className: string
  readonly #keys: EntitySigner

  constructor({ codec, className, keys }: SignedCodecParts<Entity>) {
    super(codec)
    this.#className = className
    this.#keys = keys
  }

  override write(entity: Entity): string {
    return this.#withSignature(super.write(entity), {})
  }

  /** Rejects a projection, because a signature covers the whole entity. */
  override writeShown(entity: Entity): string {
    return this.write(entity)
  }

  override writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    const changes = super.writeChanges(entity, snapshot)
    if (changes === undefined) return undefined
    if (snapshot === undefined || !isComplete(snapshot))
      throw this.#unsignable('was not read completely')
    return this.#withSignature(changes, rowOf(snapshot))
  }

  override checkMerge(
    _entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): void {
    const known = snapshot?.etag
    if (known !== undefined && etag === known) return
    throw this.#unsignable('is not merged with the ETag that it was read with')
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    verifyEntity(this.#keys, raw, this.#className)
    return super.read(raw, etag, origin)
  }

  override readPart(raw: RawEntity): Entity {
    throw partialError(this.#className, raw)
  }

  override reveal(raw: RawEntity): RawEntity {
    verifyEntity(this.#keys, raw, this.#className)
    return super.reveal(raw)
  }

  /** Signs the result of a merge, which depends on the stored entity. */
  #withSignature(body: string, before: RawEntity): string {
    const { property } = this.#keys
    const whole = afterMerge(before, body)
    const signature = this.#keys.sign(canonicalEntity(whole, property))
    return `${body.slice(0, -1)}${memberJson(memberText(property), 'Binary', signature)}}`
  }

  #unsignable(problem: string): InputError {
    return mapperInputError({
      code: 'UnsignableMerge',
      message:
        `This ${this.#className} ${problem}, so the result of the merge is unknown, but the ` +
        'signature must cover it. Read the entity and merge it with its own ETag, or use replace ' +
        'or insertOrReplace.',
    })
  }
}
