import {
  annotationName,
  dynamicEntityCodec,
  type EntityKey,
  edmCodecs,
  keyOfRaw,
  parseEntityObject,
  propertyNamesOf,
  type RawEntity,
} from '@rowkey/odata'

/**
 * One row as a value: the JSON text that is sent, and what it parses to. Each is made when it is first asked for, so a row that was
 * written is rarely parsed, and one that was read is rarely printed. A row never changes.
 */
export class Row {
  #key: EntityKey | undefined
  #text: string | undefined
  #raw: RawEntity | undefined

  private constructor(key?: EntityKey, text?: string, raw?: RawEntity) {
    this.#key = key
    this.#text = text
    this.#raw = raw
  }

  /** Returns the row of a response. */
  static read(raw: RawEntity): Row {
    return new Row(undefined, undefined, raw)
  }

  /**
   * Returns the row of a key.
   *
   * @param members - the other members: each is a comma and a member, as `memberJson` makes them
   */
  static of(key: EntityKey, members = ''): Row {
    const { writeJson } = edmCodecs.String
    const head = `{"PartitionKey":${writeJson(key.partitionKey)},"RowKey":${writeJson(key.rowKey)}`
    return new Row(key, `${head}${members}}`)
  }

  /** Returns the row that a JSON text with this key is. */
  static written(key: EntityKey, text: string): Row {
    return new Row(key, text)
  }

  /**
   * PartitionKey and RowKey.
   *
   * @throws `DecodeError` (`UnreadableProperty`) when a response has another value there
   */
  get key(): EntityKey {
    this.#key ??= keyOfRaw(this.raw)
    return this.#key
  }

  /** The JSON: exactly the stored properties. */
  get text(): string {
    this.#text ??= dynamicEntityCodec.write(dynamicEntityCodec.read(this.raw))
    return this.#text
  }

  /** The parsed JSON. */
  get raw(): RawEntity {
    this.#raw ??= parseEntityObject(this.text)
    return this.#raw
  }

  /** The stored names, without those of the key. */
  get names(): ReadonlySet<string> {
    return new Set(propertyNamesOf(this.raw))
  }

  /** Returns the row with further members. */
  with(members: string): Row {
    return members === '' ? this : Row.written(this.key, `${this.text.slice(0, -1)}${members}}`)
  }

  /** Returns the row after others were merged into it. */
  merge({ raw: changes }: Row): Row {
    // A spread, and no assignment, because `__proto__` is a legal property name.
    const merged: Record<string, unknown> = { ...this.raw, ...changes }
    // A merge may change a property's type, so the annotation of the old type must go.
    for (const member of Object.keys(changes)) {
      const annotation = annotationName(member)
      if (!Object.hasOwn(changes, annotation)) delete merged[annotation]
    }
    return Row.read(merged)
  }
}
