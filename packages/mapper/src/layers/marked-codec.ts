import { keyOfRaw, memberText, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { unknownType } from '../errors/compose-errors.ts'
import { memberJson } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { marksOf } from '../model/marks-of.ts'
import type { RowOrigin, Snapshot } from '../snapshot/snapshot.ts'

/**
 * Stores entities with their type and version.
 *
 * A merge never sends them: the row already has them, and a row with other values has another type or
 * version.
 */
export class MarkedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #model: EntityModel<Entity>
  /** The marks as further members of a JSON object. */
  readonly #members: string

  /**
   * @param codec - writes and reads everything else
   * @param model - the model with the marks
   */
  constructor(codec: RowCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    this.#model = model
    const texts = marksOf(model).map(({ name, type, value }) =>
      memberJson(memberText(name), type, value),
    )
    this.#members = texts.join('')
  }

  override write(entity: Entity): string {
    return this.#marked(super.write(entity))
  }

  override writeShown(entity: Entity, snapshot: Snapshot | undefined): string {
    return this.#marked(super.writeShown(entity, snapshot))
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    this.#checkType(raw)
    return super.read(raw, etag, origin)
  }

  override readPart(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    this.#checkType(raw)
    return super.readPart(raw, etag, origin)
  }

  #marked(body: string): string {
    return `${body.slice(0, -1)}${this.#members}}`
  }

  #checkType(raw: RawEntity): void {
    const { discriminator, title } = this.#model
    if (discriminator === undefined || raw[discriminator.property] === discriminator.value) return
    const key = keyOfRaw(raw)
    const known = [`${title} (${discriminator.property} '${discriminator.value}')`]
    throw unknownType(key, known)
  }
}
