import type { RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { checkNotLater } from '../model/later-version.ts'
import type { RowOrigin } from '../snapshot/snapshot.ts'

/** The codec of a model with further layers and without versions: rejects rows of later versions first. */
export class UnversionedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #model: EntityModel<Entity>

  constructor(codec: RowCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    this.#model = model
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    checkNotLater(this.#model, raw)
    return super.read(raw, etag, origin)
  }

  override readPart(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    checkNotLater(this.#model, raw)
    return super.readPart(raw, etag, origin)
  }
}
