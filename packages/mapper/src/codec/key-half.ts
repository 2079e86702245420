import { InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import { wholeKeyOf } from '../keys/key-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { membersIn } from '../model/members-in.ts'

/** One half of a model's key: converts between an entity's members and the stored text. */
export class KeyHalf {
  readonly #title: string
  readonly #codec: KeyCodec
  /** The member that is the whole key, if there is one; then nothing is formatted. */
  readonly #whole: string | undefined
  /** The members that can be assigned. */
  readonly #assigned: readonly string[]

  constructor({ title, computed }: EntityModel<object>, codec: KeyCodec) {
    this.#title = title
    this.#codec = codec
    this.#whole = wholeKeyOf(codec)
    this.#assigned = codec.readable.filter((property) => !computed.includes(property))
  }

  /** Returns the key of an entity, unchecked. */
  write(members: Readonly<Record<string, unknown>>): unknown {
    if (this.#whole !== undefined) return members[this.#whole]
    try {
      return this.#codec.print(members)
    } catch (cause) {
      if (!(cause instanceof InputError) || cause.code !== 'InvalidKeyPart') throw cause
      const message = `${this.#title}.${cause.message}`
      throw mapperInputError({ code: 'InvalidKeyPart', message, details: cause.details, cause })
    }
  }

  /** Assigns the values in a stored key. */
  read(members: Record<string, unknown>, stored: unknown): void {
    if (typeof stored !== 'string' || this.#assigned.length === 0) return
    if (this.#whole !== undefined) {
      members[this.#whole] = stored
      return
    }
    const values = membersIn(this.#codec.parse(stored))
    for (const property of this.#assigned) members[property] = values[property]
  }

  /** Adds the class and the member to the error of an invalid key. */
  nameMember(error: InputError): InputError {
    const place = this.#whole === undefined ? this.#title : `${this.#title}.${this.#whole}`
    const message = `${place}: ${error.message}`
    const { code, details } = error
    return new InputError({ code, message, details, cause: error })
  }
}
