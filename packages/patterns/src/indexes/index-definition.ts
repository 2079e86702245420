import type { KeyCodec } from '@rowkey/mapper'

/** How one index is declared, for {@link declareIndexes}. */
export interface IndexDefinition<Entity extends object = object> {
  /**
   * How properties make the RowKey of an index entry: a fixed beginning, the indexed properties, and, unless
   * the index is unique, the properties of the entity's own RowKey. An entity without a value for one of them
   * has no entry.
   */
  readonly rowKey: KeyCodec
  /**
   * Whether two entities of a partition must not have the same values.
   *
   * @defaultValue `false`
   */
  readonly unique?: boolean | undefined
  /**
   * The properties that each entry holds a copy of, for reads that need no others. Each change of one of them
   * also writes the entry.
   *
   * @defaultValue none
   */
  readonly project?: readonly (keyof Entity & string)[] | undefined
  /**
   * Which entities have an entry: return `false` to leave one out. It must depend on nothing but the entity,
   * and the same version of it must be in every program that writes the table.
   *
   * @defaultValue every entity that has all indexed values
   */
  readonly where?: ((entity: Entity) => boolean) | undefined
  /**
   * Counts the changes of `where`, and of converters of indexed properties, which cannot be compared otherwise. After a change the index
   * is not read before it is built again.
   *
   * @defaultValue 1
   */
  readonly revision?: number | undefined
  /**
   * Whether queries of the table choose the index by themselves. Set it to `false` when many rows have the same
   * value: a scan can then cost less than one read for each row.
   *
   * @defaultValue `true`
   */
  readonly automatic?: boolean | undefined
}

/** The indexes of a model, by their names. */
export type IndexDefinitions<Entity extends object> = Readonly<
  Record<string, IndexDefinition<Entity>>
>
