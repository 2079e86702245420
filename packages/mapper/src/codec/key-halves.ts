import { type EntityKey, edmCodecs, InputError, type KeyCheck, type RawEntity } from '@rowkey/odata'
import type { EntityModel } from '../model/entity-model.ts'
import type { Members } from '../model/members-in.ts'
import { KeyHalf } from './key-half.ts'

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
    } catch (error) {
      if (!(error instanceof InputError && error.code === 'InvalidEntityKey')) throw error
      const half = error.details.property === 'RowKey' ? this.#rowKey : this.#partitionKey
      throw half.nameMember(error)
    }
    return key
  }

  /** Assigns the values in the stored key of an entity. */
  read(members: Members, { PartitionKey, RowKey }: RawEntity): void {
    this.#partitionKey.read(members, PartitionKey)
    this.#rowKey.read(members, RowKey)
  }
}

/** Writes the JSON of an entity up to the end of its key, which every body starts with. */
export function openWithKey({ partitionKey, rowKey }: EntityKey): string {
  const { writeJson } = edmCodecs.String
  return `{"PartitionKey":${writeJson(partitionKey)},"RowKey":${writeJson(rowKey)}`
}
