import type { KeyCodec } from '@rowkey/mapper'
import type { TemplateProblem } from '../derived/template-problem.ts'

/** The names of the properties that can be added up: numbers and bigints. */
export type SummableName<Entity> = {
  [Name in keyof Entity & string]: NonNullable<Entity[Name]> extends number | bigint ? Name : never
}[keyof Entity & string]

/** How one summary is declared, for {@link declareSummaries}. */
export interface SummaryDefinition<Entity extends object = object> {
  /**
   * The properties to group by, as a part of the RowKey of the summary's rows. Without a property, there is one group for each
   * partition. An entity without a value for one of them counts nowhere.
   */
  readonly rowKey: KeyCodec
  /**
   * The properties to add up: numbers, or bigints. An entity without a value adds nothing, and neither do `NaN` and infinities.
   *
   * @defaultValue none: the summary counts entities
   */
  readonly sums?: readonly SummableName<Entity>[] | undefined
  /**
   * Which entities count: return `false` to leave one out. It must depend on nothing but the entity.
   *
   * @defaultValue all
   */
  readonly where?: ((entity: Entity) => boolean) | undefined
  /**
   * Counts the changes of `where`, and of converters of its properties, which cannot be compared otherwise. After a change the summary
   * is another one.
   *
   * @defaultValue 1
   */
  readonly revision?: number | undefined
  /**
   * The first version of the model that gives the same values as this one, when no migration since then changes a property of the
   * summary. Programs of these versions share the rows.
   *
   * @defaultValue the version of the model: each version has a summary of its own
   */
  readonly sameSince?: number | undefined
}

/** The summaries of a model, by their names. */
export type SummaryDefinitions<Entity extends object> = Readonly<
  Record<string, SummaryDefinition<Entity>>
>

/** The values of the properties that a summary is grouped by. */
export type GroupValues<Definition> = Definition extends Grouped<infer Values> ? Values : object

/** A definition with a template. */
interface Grouped<Values extends object> {
  readonly rowKey: KeyCodec<Values>
}

/** Rejects templates with properties that the entity does not have: the compiler shows a sentence. */
export type CheckedSummaries<Entity, Definitions> = {
  readonly [Name in keyof Definitions]: {
    /** The problem of the template, or nothing. */
    readonly rowKey: TemplateProblem<GroupValues<Definitions[Name]>, Entity>
  }
}

/** The sums of a summary, by the names of its properties. */
export type SumsOf<Entity, Definition> = {
  readonly [Name in SummedName<Definition> & keyof Entity]: NonNullable<Entity[Name]> extends bigint
    ? bigint
    : number
}

/** The names of the properties that a summary adds up. */
export type SummedName<Definition> = Definition extends {
  /** The properties. */
  readonly sums: readonly (infer Name)[]
}
  ? Name
  : never

/** The properties that a summary is grouped by, as an entity has them. */
export type GroupOf<Entity, Definition> = {
  readonly [Name in keyof GroupValues<Definition>]: Name extends keyof Entity
    ? NonNullable<Entity[Name]>
    : never
}
