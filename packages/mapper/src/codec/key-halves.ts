import { type EntityKey, InputError, type KeyCheck, type RawEntity } from '@rowkey/odata'
import { type KeyCodec, wholeKeyOf } from '../keys/key-codec.ts'
import { checkNotReserved } from '../keys/reserved-key.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { type Members, membersIn, showInPlace } from '../model/members-in.ts'

/** Both halves of a model's key: converts between an entity's members and the stored texts. */
export class KeyHalves {
  readonly #partitionKey: KeyHalf
  readonly #rowKey: KeyHalf
  readonly #check: KeyCheck

  /**
   * @param model - the model of the entities
   * @param check - rejects invalid keys
   */
  constructor(model: EntityModel<object>, check: KeyCheck) {
    this.#partitionKey = new KeyHalf(model, model.partitionKey)
    this.#rowKey = new KeyHalf(model, model.rowKey)
    this.#check = check
  }

  /**
   * Returns the key of an entity, checked.
   *
   * @throws `InputError` (`InvalidEntityKey`) that names the member
   */
  write(members: Readonly<Members>): EntityKey {
    const partitionKey = this.#partitionKey.write(members)
    // The check ensures that both are strings.
    const key = { partitionKey, rowKey: this.#rowKey.write(members) } as EntityKey
    try {
      this.#check(key)
      checkNotReserved(key)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      const half = error.details.property === 'RowKey' ? this.#rowKey : this.#partitionKey
      throw half.nameMember(error)
    }
    return key
  }

  /**
   * Assigns the values in the stored key of an entity.
   *
   * @param isPart - whether only selected properties were read
   */
  read(members: Members, { PartitionKey, RowKey }: RawEntity, isPart: boolean): void {
    this.#partitionKey.read(members, PartitionKey)
    this.#rowKey.read(members, RowKey)
    if (!isPart) return
    this.#partitionKey.show(members, PartitionKey)
    this.#rowKey.show(members, RowKey)
  }
}

/** One half of a model's key: converts between an entity's members and the stored text. */
class KeyHalf {
  readonly #title: string
  readonly #codec: KeyCodec
  /** The member that is the whole key, if there is one; then nothing is formatted. */
  readonly #whole: string | undefined
  /** The members that can be assigned, and those that getters compute. */
  readonly #assigned: readonly string[]
  readonly #computed: readonly string[]

  constructor({ title, computed }: EntityModel<object>, codec: KeyCodec) {
    this.#title = title
    this.#codec = codec
    this.#whole = wholeKeyOf(codec)
    this.#assigned = codec.readable.filter((property) => !computed.includes(property))
    this.#computed = codec.readable.filter((property) => computed.includes(property))
  }

  /** Returns the key of an entity, unchecked. */
  write(members: Readonly<Record<string, unknown>>): unknown {
    if (this.#whole !== undefined) return members[this.#whole]
    try {
      return this.#codec.print(members)
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause
      throw prefixed(`${this.#title}.`, cause)
    }
  }

  /** Assigns the values in a stored key. */
  read(members: Record<string, unknown>, stored: unknown): void {
    // A key without parts must still be that of the model.
    if (typeof stored !== 'string' || (this.#codec.parts[0] && !this.#assigned[0])) return
    if (this.#whole !== undefined) {
      members[this.#whole] = stored
      return
    }
    const values = membersIn(this.#codec.parse(stored))
    for (const property of this.#assigned) members[property] = values[property]
  }

  /** Shows the values in a stored key in place of getters. */
  show(members: object, stored: unknown): void {
    if (typeof stored !== 'string' || this.#computed.length === 0) return
    const values = this.#whole === undefined ? this.#codec.parse(stored) : { [this.#whole]: stored }
    for (const property of this.#computed) {
      showInPlace(members, property, Reflect.get(values, property))
    }
  }

  /** Adds the class and the member to the error of an invalid key. */
  nameMember(error: InputError): InputError {
    const place = this.#whole === undefined ? this.#title : `${this.#title}.${this.#whole}`
    return prefixed(`${place}: `, error)
  }
}

/** Makes an error with a place before the message of another. */
function prefixed(place: string, error: InputError): InputError {
  const { code, message, details } = error
  return new InputError({ code, message: place + message, details, cause: error })
}
