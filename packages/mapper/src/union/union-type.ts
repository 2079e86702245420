import type { KeyCheck, RawEntity } from '@rowkey/odata'
import type { RowCodec } from '../codec/row-codec.ts'
import { codecOf } from '../layers/codec-of.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { beginningOf, canBeBoth, hasBeginning, type KeyBeginning } from './key-beginning.ts'

/** One type of a union, with what its rows are told by. */
export class UnionType {
  /** How its entities are stored. */
  readonly model: EntityModel<object>
  readonly #partitionKey: KeyBeginning
  readonly #rowKey: KeyBeginning

  constructor(model: EntityModel<object>) {
    this.model = model
    this.#partitionKey = beginningOf(model.partitionKey)
    this.#rowKey = beginningOf(model.rowKey)
  }

  /** What writes and reads its entities. */
  codec(checkKey: KeyCheck): RowCodec<object> {
    return codecOf(this.model, checkKey)
  }

  /** Whether a stored row is of this type. */
  hasRow(raw: RawEntity): boolean {
    const { discriminator } = this.model
    return (
      (discriminator === undefined || raw[discriminator.property] === discriminator.value) &&
      hasBeginning(raw.PartitionKey, this.#partitionKey) &&
      hasBeginning(raw.RowKey, this.#rowKey)
    )
  }

  /** Whether a row could be of this type and of another. */
  overlaps(other: UnionType): boolean {
    return (
      !this.#isMarkedApart(other) &&
      canBeBoth(this.#partitionKey, other.#partitionKey) &&
      canBeBoth(this.#rowKey, other.#rowKey)
    )
  }

  /** How its rows are told, for messages: `Order (RowKey 0002_…)`. */
  toString(): string {
    const signs = [...signOf('PartitionKey', this.#partitionKey), ...signOf('RowKey', this.#rowKey)]
    return `${this.model.title} (${signs.join(', ') || 'any key'})`
  }

  /** Whether the same property says of which of the two a row is. */
  #isMarkedApart(other: UnionType): boolean {
    const [one, another] = [this.model.discriminator, other.model.discriminator]
    return one !== undefined && one.property === another?.property && one.value !== another.value
  }
}

function signOf(name: string, { text, isWhole }: KeyBeginning): string[] {
  if (isWhole) return [`${name} ${text}`]
  return text === '' ? [] : [`${name} ${text}…`]
}
