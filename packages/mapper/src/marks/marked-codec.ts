import { type EntityCodec, memberText, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import { loadedRaw } from '../codec/loaded-state.ts'
import { memberJson } from '../codec/member-json.ts'
import { UnknownTypeError } from '../errors/unknown-type-error.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { type Mark, marksOf } from './marks-of.ts'

/** A codec whose entities are stored with their type and version. */
export class MarkedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #model: EntityModel<Entity>
  readonly #marks: readonly Mark[]
  /** All marks as further members of a JSON object. */
  readonly #members: string

  /**
   * @param codec - writes and reads everything else
   * @param model - says what the marks are
   */
  constructor(codec: EntityCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    this.#model = model
    this.#marks = marksOf(model)
    const texts = this.#marks.map(({ name, type, value }) =>
      memberJson(memberText(name), type, value),
    )
    this.#members = texts.join('')
  }

  override write(entity: Entity): string {
    return this.#marked(super.write(entity))
  }

  override writeShown(entity: Entity): string {
    return this.#marked(super.writeShown(entity))
  }

  override writeChanges(entity: Entity): string | undefined {
    const changes = super.writeChanges(entity)
    if (changes === undefined) return undefined
    const raw = loadedRaw(entity)
    const isMarked = raw && this.#marks.every(({ name, value }) => raw[name] === value)
    return isMarked ? changes : this.#marked(changes)
  }

  override read(raw: RawEntity, etag?: string): Entity {
    this.#checkType(raw)
    return super.read(raw, etag)
  }

  override readPart(raw: RawEntity, etag?: string): Entity {
    this.#checkType(raw)
    return super.readPart(raw, etag)
  }

  #marked(body: string): string {
    return `${body.slice(0, -1)}${this.#members}}`
  }

  #checkType(raw: RawEntity): void {
    const { discriminator, title } = this.#model
    if (discriminator === undefined || raw[discriminator.property] === discriminator.value) return
    const key = { partitionKey: String(raw.PartitionKey), rowKey: String(raw.RowKey) }
    const known = [`${title} (${discriminator.property} '${discriminator.value}')`]
    throw new UnknownTypeError({ key, known })
  }
}
