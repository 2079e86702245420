import { keyOfRaw, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { unreadableVersion } from '../errors/compose-errors.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { DEFAULT_VERSION_PROPERTY, versionPropertyAfter } from '../model/to-model-version.ts'
import type { RowOrigin } from '../snapshot/snapshot.ts'

/**
 * The codec of a model without versions. It rejects rows that a later version of the model wrote, because
 * an old program would change properties that new programs ignore.
 */
export class UnversionedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #model: EntityModel<Entity>

  constructor(codec: RowCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    this.#model = model
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    this.#check(raw)
    return super.read(raw, etag, origin)
  }

  override readPart(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    this.#check(raw)
    return super.readPart(raw, etag, origin)
  }

  #check(raw: RawEntity): void {
    const property = versionPropertyAfter(this.#model) ?? DEFAULT_VERSION_PROPERTY
    const stored = raw[property]
    // The version is an Int32, which has no annotation.
    if (typeof stored !== 'number' || !Number.isInteger(stored) || stored < 2) return
    if (`${property}@odata.type` in raw) return
    if (this.#model.columns.some(({ name }) => name === property)) return
    throw unreadableVersion({
      className: this.#model.title,
      key: keyOfRaw(raw),
      stored,
      problem: `has the later version ${stored} in '${property}', but this program can only read version 1. Update the program. If '${property}' is a property of another program, declare it in the class.`,
    })
  }
}
