import type { KeyCodec } from '@rowkey/mapper'

/** How one summary is declared, for {@link declareSummaries}. */
export interface SummaryDefinition<Entity extends object = object> {
  /**
   * The RowKey of the summary's rows: a fixed beginning, and the properties to group by. Without a property, there is one row for each
   * partition. An entity without a value for one of them counts nowhere.
   */
  readonly rowKey: KeyCodec
  /**
   * The properties to add up: numbers, or bigints. An entity without a value adds nothing, and neither do `NaN` and infinities.
   *
   * @defaultValue none: the summary counts entities
   */
  readonly sums?: readonly (keyof Entity & string)[] | undefined
  /**
   * Which entities count: return `false` to leave one out. It must depend on nothing but the entity.
   *
   * @defaultValue all
   */
  readonly where?: ((entity: Entity) => boolean) | undefined
}

/** The summaries of a model, by their names. */
export type SummaryDefinitions<Entity extends object> = Readonly<
  Record<string, SummaryDefinition<Entity>>
>

/** The values of one summary row. */
export interface Summary {
  /** How many entities count. */
  readonly count: number
  /** The sum of each property: a bigint for bigints. */
  readonly sums: Readonly<Record<string, number | bigint>>
}
