import type { KeyCodec } from '@rowkey/mapper'
import type { TemplateProblem, ValuesOf } from '../derived/template-problem.ts'

/** How one index is declared, for {@link declareIndexes}. */
export interface IndexDefinition<Entity extends object = object> {
  /**
   * How properties make the RowKey of an entry, behind the mark of kept rows: the indexed properties, and, unless
   * the index is unique, the properties of the entity's own RowKey. An entity without a value for one of them
   * has no entry.
   */
  readonly rowKey: KeyCodec
  /**
   * How properties make the PartitionKey of an entry, for reads that do not know the partition of the entities. A worker writes these
   * entries a moment after their rows. Together with `rowKey` it has all properties of the entity's own key.
   *
   * @defaultValue the PartitionKey of the entity: its entry is written in the same transaction
   */
  readonly partitionKey?: KeyCodec | undefined
  /**
   * The table of the entries, for an index with a `partitionKey`. It must exist.
   *
   * @defaultValue the table of the entities
   */
  readonly table?: string | undefined
  /**
   * Whether two entities of a partition must not have the same values. An index with a `partitionKey` cannot be unique.
   *
   * @defaultValue `false`
   */
  readonly unique?: boolean | undefined
  /**
   * Whether queries of the table choose the index by themselves. Set it to `false` when many rows have the same
   * value: a scan can then cost less than one read for each row.
   *
   * @defaultValue `true`; `false` with a `partitionKey`
   */
  readonly automatic?: boolean | undefined
  /**
   * The properties that each entry holds a copy of, for reads that need no others. Each change of one of them
   * also writes the entry.
   *
   * @defaultValue none
   */
  readonly project?: readonly (keyof Entity & string)[] | undefined
  /**
   * Which entities have an entry: return `false` to leave one out. It must depend on nothing but the entity.
   *
   * @defaultValue every entity that has all indexed values
   */
  readonly where?: ((entity: Entity) => boolean) | undefined
  /**
   * Counts the changes of `where`, and of converters of indexed properties, which cannot be compared otherwise. After a change the index
   * is another one: see {@link IndexedTable.build}.
   *
   * @defaultValue 1
   */
  readonly revision?: number | undefined
  /**
   * The first version of the model whose programs make the same entries of all rows as this one. Programs of these versions share the
   * index while a new version is deployed. Without it each version has an index of its own, because a migration may change
   * indexed properties.
   *
   * @defaultValue the version of the model
   */
  readonly sameSince?: number | undefined
}

/** The indexes of a model, by their names. */
export type IndexDefinitions<Entity extends object> = Readonly<
  Record<string, IndexDefinition<Entity>>
>

/** Rejects templates with properties that the entity does not have: the compiler shows a sentence. */
export type CheckedIndexes<Entity, Definitions> = {
  readonly [Name in keyof Definitions]: {
    readonly [Key in 'partitionKey' | 'rowKey' as Key extends keyof Definitions[Name]
      ? Key
      : never]?: TemplateProblem<
      ValuesOf<Key extends keyof Definitions[Name] ? Definitions[Name][Key] : never>,
      Entity
    >
  }
}

/** The names of the unique indexes among some. */
export type UniqueName<Definitions> = {
  [Name in keyof Definitions & string]: Definitions[Name] extends { readonly unique: true }
    ? Name
    : never
}[keyof Definitions & string]

/**
 * The values by which a unique index finds an entity: the properties of its key, and those of the PartitionKey.
 *
 * @example
 * ```ts
 * const values: IndexValues<Employee, typeof definitions.email, { department?: string }> = { department: 'Sales', email: 'a@x' }
 * ```
 */
export type IndexValues<Entity, Definition, Key> = Key & {
  readonly [Name in keyof IndexKey<Definition>]: Name extends keyof Entity
    ? NonNullable<Entity[Name]>
    : never
}

type IndexKey<Definition> = Definition extends { readonly rowKey: infer Template }
  ? ValuesOf<Template>
  : object
