import { DynamicEntity, type KeyCheck, type RawEntity } from '@rowkey/odata'
import { DynamicCodec } from '../codec/dynamic-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { ModelError } from '../errors/model-error.ts'
import { UnknownTypeError } from '../errors/unknown-type-error.ts'
import { rowBehind } from '../snapshot/snapshot.ts'
import type { UnionTypes } from './entity-union.ts'
import { holdsKeyOf, takesObject } from './plain-object.ts'
import type { UnionType } from './union-type.ts'

/** Every DynamicEntity of every union is written and read by one codec. */
const dynamicCodec: RowCodec<object> = new DynamicCodec() as unknown as RowCodec<object>

type Codec = RowCodec<object>

/** Finds which type of a union something is. */
export class TypeFinder {
  readonly #union: UnionTypes
  readonly #codecs: ReadonlyMap<UnionType, Codec>
  readonly #byPrototype: ReadonlyMap<object, Codec>

  constructor(union: UnionTypes, checkKey: KeyCheck) {
    this.#union = union
    this.#codecs = new Map(union.types.map((type) => [type, type.codec(checkKey)]))
    const classes = [...this.#codecs].flatMap<[object, Codec]>(([{ model }, codec]) =>
      model.class === undefined ? [] : [[model.class.prototype, codec]],
    )
    const other: [object, Codec] = [DynamicEntity.prototype, dynamicCodec]
    this.#byPrototype = new Map(union.unknown === 'dynamic' ? [...classes, other] : classes)
  }

  /**
   * What reads a stored row.
   *
   * @throws {@link UnknownTypeError} when it is of no type of the union
   */
  ofRow(raw: RawEntity): Codec {
    const found = this.#findRow(raw)
    if (found !== undefined) return found
    const key = { partitionKey: String(raw.PartitionKey), rowKey: String(raw.RowKey) }
    throw new UnknownTypeError({ key, known: this.#union.types.map(String) })
  }

  /** What writes an object, when that is certain: by its class, or by the row that it was read from. */
  find(entity: object): Codec | undefined {
    for (let each: object | null = entity; each !== null; each = Object.getPrototypeOf(each)) {
      const found = this.#byPrototype.get(each)
      if (found !== undefined) return found
    }
    const raw = rowBehind(entity)
    return raw && this.#findRow(raw)
  }

  /** What writes an object, as far as anyone can tell. */
  guess(entity: object): Codec | undefined {
    return this.find(entity) ?? this.#matching(entity)[0]
  }

  /**
   * What writes an object.
   *
   * @throws {@link ModelError} when it is of no type of the union, or could be of two
   */
  ofEntity(entity: object): Codec {
    return this.find(checkObject(entity, this.#union)) ?? this.#only(entity)
  }

  /**
   * What makes the key of an object, which may hold the properties of a key alone.
   *
   * @throws {@link ModelError} when it is the key of no type of the union, or could be of two
   */
  ofKey(target: object): Codec {
    const found = this.find(checkObject(target, this.#union))
    if (found !== undefined) return found
    const keys = this.#union.types.filter(({ model }) => holdsKeyOf(model, target))
    const [only, other] = keys
    const codec = other === undefined && only !== undefined && this.#codecs.get(only)
    return codec || this.ofEntity(target)
  }

  /** Whether a plain target in the shape of a key is a key in every type. */
  areKeys(target: object): boolean {
    return [...this.#codecs.values()].every((codec) => codec.isKey(target))
  }

  #findRow(raw: RawEntity): Codec | undefined {
    const { types, unknown } = this.#union
    const type = types.find((each) => each.hasRow(raw))
    if (type !== undefined) return this.#codecs.get(type)
    return unknown === 'dynamic' ? dynamicCodec : undefined
  }

  #matching(entity: object): Codec[] {
    const types = this.#union.types.filter(({ model }) => takesObject(model, entity))
    return types.flatMap((type) => this.#codecs.get(type) ?? [])
  }

  #only(entity: object): Codec {
    const [found, other] = this.#matching(entity)
    if (found !== undefined && other === undefined) return found
    const members = Object.keys(entity).join(', ')
    const problem =
      found === undefined
        ? `An object of { ${members} } is an entity of none of these types. Pass an instance of a class, or an object that one of the schemas takes.`
        : `An object of { ${members} } could be of more than one of these types. Write it by the table of one of them, as table.ofType(${this.#union.types[0]?.model.title}).`
    throw new ModelError({ className: this.#union.title, problem })
  }
}

function checkObject(entity: object, { title }: UnionTypes): object {
  if (typeof entity === 'object' && entity !== null) return entity
  throw new ModelError({
    className: title,
    problem: `An entity is an object, and ${entity === null ? 'null' : typeof entity} was given. Pass one.`,
  })
}
