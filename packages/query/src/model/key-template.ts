/** One property in a key: how its values are written there, and what that keeps of their order. */
export interface KeyPart {
  /** The property, by the name that filters use. */
  readonly property: string
  /**
   * Writes a value as the key holds it.
   *
   * @throws an InputError when no key can hold the value
   */
  print(value: unknown): string
  /** Whether the texts sort as the values do, or in reverse; absent when they keep no order. */
  readonly order?: 'ascending' | 'descending' | undefined
  /** Whether the text of a value begins with the text of every prefix of the value. */
  readonly prefixes?: boolean | undefined
  /** How many UTF-16 units every text has; absent when they differ. */
  readonly fixedLength?: number | undefined
  /** Whether the property is also stored by itself, under the same name. */
  readonly stored?: boolean | undefined
}

/** What a PartitionKey or RowKey consists of: fixed texts and parts, in their order. */
export interface KeyTemplate {
  /** Strings stand for themselves. A part without a fixed length is last, or before a string. */
  readonly segments: readonly (string | KeyPart)[]
}

/**
 * The templates of an entity's keys. A half is absent where one property is the whole key: conditions
 * then use the key's own name.
 */
export interface KeyTemplates {
  /** What the PartitionKey consists of. */
  readonly partitionKey?: KeyTemplate | undefined
  /** What the RowKey consists of. */
  readonly rowKey?: KeyTemplate | undefined
}
