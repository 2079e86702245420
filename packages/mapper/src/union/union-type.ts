import type { RawEntity } from '@rowkey/odata'
import type { KeyCodec } from '../keys/key-codec.ts'
import { hasDiscriminator } from '../model/discriminator.ts'
import type { EntityModel } from '../model/entity-model.ts'

/** One type of a union, and how its rows are recognized. */
export class UnionType {
  /** The model of its entities. */
  readonly model: EntityModel<object>
  /** The name in messages: the value of the discriminator, or the title of the model. */
  readonly label: string
  readonly #partitionKey: KeyBeginning
  readonly #rowKey: KeyBeginning

  constructor(model: EntityModel<object>) {
    this.model = model
    this.label = model.discriminator?.value ?? model.title
    this.#partitionKey = beginningOf(model.partitionKey)
    this.#rowKey = beginningOf(model.rowKey)
  }

  /** Whether a stored row has this type. */
  hasRow(raw: RawEntity): boolean {
    const { PartitionKey, RowKey } = raw
    return hasDiscriminator(raw, this.model.discriminator) && this.hasKey(PartitionKey, RowKey)
  }

  /** Whether a row of this type could have a key. */
  hasKey(partitionKey: unknown, rowKey: unknown): boolean {
    return hasBeginning(partitionKey, this.#partitionKey) && hasBeginning(rowKey, this.#rowKey)
  }

  /** Whether a row could have this type and another one. */
  overlaps(other: UnionType): boolean {
    return (
      !this.#isMarkedApart(other) &&
      canBeBoth(this.#partitionKey, other.#partitionKey) &&
      canBeBoth(this.#rowKey, other.#rowKey)
    )
  }

  /** Describes its rows for messages: `Order (RowKey 0002_…)`. */
  toString(): string {
    const { discriminator } = this.model
    const signs = [
      ...(discriminator === undefined ? [] : [`${discriminator.property} ${discriminator.value}`]),
      ...signOf('PartitionKey', this.#partitionKey),
      ...signOf('RowKey', this.#rowKey),
    ]
    return `${this.label} (${signs.join(', ') || 'any key'})`
  }

  /** Whether one stored property distinguishes the rows of both types. */
  #isMarkedApart(other: UnionType): boolean {
    const [one, another] = [this.model.discriminator, other.model.discriminator]
    return one !== undefined && one.property === another?.property && one.value !== another.value
  }
}

function signOf(name: string, { text, isWhole }: KeyBeginning): string[] {
  if (isWhole) return [`${name} ${text}`]
  return text === '' ? [] : [`${name} ${text}…`]
}

/** The text that all keys of a template begin with. */
interface KeyBeginning {
  /** The text; empty when the keys can begin with anything. */
  readonly text: string
  /** Whether the text is the whole key. */
  readonly isWhole: boolean
}

/** Returns the text that all keys of a template begin with. */
export function beginningOf(key: KeyCodec): KeyBeginning {
  return { text: key.prefix({}), isWhole: key.parts.length === 0 }
}

/** Whether a key begins with the text. */
export function hasBeginning(key: unknown, { text, isWhole }: KeyBeginning): boolean {
  return typeof key === 'string' && (isWhole ? key === text : key.startsWith(text))
}

/** Whether one key could begin with both texts. */
export function canBeBoth(one: KeyBeginning, other: KeyBeginning): boolean {
  if (one.isWhole) return hasBeginning(one.text, other)
  return hasBeginning(other.text, one) || (!other.isWhole && hasBeginning(one.text, other))
}
