/**
 * What the page and the server of the studio exchange as JSON. Values are text, as entity JSON has them, so that no type loses
 * anything in a browser.
 */
import type { AccountFacts, Explanation } from '@rowkey/cli'
import type { EdmType } from '@rowkey/odata'

/** What holds as long as the studio runs. */
export interface StudioFacts extends AccountFacts {
  /** The types of the models that were loaded. */
  readonly types: readonly TypeNames[]
}

/** The names that a model has for what a table stores. */
export interface TypeNames {
  /** The name of the type. */
  readonly title: string
  /** Its table; absent when the model names none. */
  readonly table?: string | undefined
  /** The properties that make the PartitionKey. */
  readonly partition: readonly string[]
  /** The properties that make the RowKey. */
  readonly row: readonly string[]
  /** Stored names, and the properties they belong to. */
  readonly names: readonly (readonly [stored: string, property: string])[]
}

/** A value, as entity JSON has it, without quotes. */
export interface ShownValue {
  readonly type: EdmType
  readonly text: string
  /** How many characters the whole text has; absent when the text is whole. */
  readonly length?: number
}

/** A row. */
export interface ShownRow {
  readonly partition: string
  readonly row: string
  readonly timestamp?: string | undefined
  readonly etag?: string | undefined
  /** The type that a model gives it. */
  readonly kind?: string | undefined
  /** Its size in bytes as the service counts; absent when only some properties were read. */
  readonly size?: number | undefined
  /** Its properties, in the order of the service. */
  readonly values: readonly (readonly [name: string, value: ShownValue])[]
}

/** The rows of one response of the service, which may be fewer than wanted. */
export interface ShownRows {
  readonly rows: readonly ShownRow[]
  /** Where the next request continues; absent at the end. */
  readonly next?: string | undefined
}

/** The plan of a filter. */
export interface ShownPlan extends Explanation {
  /** Whether the filter may read many more rows than it finds, so that the studio asks first. */
  readonly isScan: boolean
}

/** A new value of a property. */
export interface Assignment {
  readonly name: string
  readonly type: EdmType
  readonly text: string
}

/** The key of a row of a table. */
export interface RowAddress {
  readonly table: string
  readonly partition: string
  readonly row: string
}

/** A row of a selection, in the version that the page shows. */
export interface SelectedRow {
  readonly partition: string
  readonly row: string
  readonly etag: string
}

/** What became of the rows of a selection. */
export interface ChangedSelection {
  /** How many rows were changed or deleted. */
  readonly done: number
  /** How many rows stayed as they are stored. */
  readonly failed: number
  /** The first of them, with the reason. */
  readonly failures: readonly {
    readonly partition: string
    readonly row: string
    readonly message: string
  }[]
}

/** What changes of rows leave behind in a table. */
export interface TableWarning {
  /** Absent when they leave nothing behind. */
  readonly warning?: string | undefined
}

/** Why a request failed. */
export interface Failure {
  readonly error: {
    readonly code: string
    readonly message: string
    /** The place in the text of a filter. */
    readonly position?: number | undefined
    /** The property whose value is wrong. */
    readonly property?: string | undefined
  }
  /** The row that is stored in place of the one that was shown; `null` when it was deleted. */
  readonly stored?: ShownRow | null
}
