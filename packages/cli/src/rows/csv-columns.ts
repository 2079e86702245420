import { type EdmType, isEdmType } from '@rowkey/odata'
import { type DynamicEntity, type EntityProperty, printDateTime } from 'rowkey'
import { cellText } from './cell-text.ts'

/** The three columns that every CSV begins with. */
export const SYSTEM: readonly string[] = ['PartitionKey', 'RowKey', 'Timestamp']

/** How types stand in CSV: in the heading of each column (`age:Int32`), or in a column `age@type` beside it, as Storage Explorer does. */
export type CsvDialect = 'csv' | 'explorer-csv'

/** Writes the text of a cell. */
export type TextForm = (text: string) => string

const asItIs: TextForm = (text) => text

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Writes a text so that no spreadsheet runs it: `'` stands before the beginning of a formula. `import` does not remove it.
 *
 * @param text - the text of a cell
 */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/**
 * The columns of a CSV file, collected from its rows before the first line is written. With typed headings, a property that has
 * several types gets a column for each.
 */
export class CsvColumns {
  readonly #dialect: CsvDialect
  readonly #written: TextForm
  readonly #types = new Map<string, Set<EdmType>>()

  /**
   * @param dialect - where the types stand
   * @param written - how names, keys and texts are written
   */
  constructor(dialect: CsvDialect, written: TextForm = asItIs) {
    this.#dialect = dialect
    this.#written = written
  }

  /** Adds the properties of a row. */
  add({ properties }: DynamicEntity): void {
    for (const [name, { type }] of properties) {
      const types = this.#types.get(name)
      if (types === undefined) this.#types.set(name, new Set([type]))
      else types.add(type)
    }
  }

  /** The cells of the first line. */
  get headings(): readonly string[] {
    const columns = [...this.#types].flatMap(([name, types]) =>
      this.#dialect === 'csv'
        ? [...types].map((type) => `${name}:${type}`)
        : [name, `${name}@type`],
    )
    return [...SYSTEM, ...columns.map(this.#written)]
  }

  /** Returns the cells of a row; `undefined` for a property that it does not have. */
  cellsOf({ partitionKey, rowKey, timestamp, properties }: DynamicEntity): (string | undefined)[] {
    const cells = [...this.#types].flatMap(([name, types]) => {
      const property = properties.get(name)
      const text = property === undefined ? undefined : this.#cellText(property)
      if (this.#dialect === 'explorer-csv') return [text, property?.type]
      return [...types].map((type) => (property?.type === type ? text : undefined))
    })
    const keys = [partitionKey, rowKey].map(this.#written)
    return [...keys, timestamp && printDateTime(timestamp), ...cells]
  }

  #cellText(property: EntityProperty): string {
    const text = cellText(property)
    return property.type === 'String' ? this.#written(text) : text
  }
}

/** A column of a CSV file that is read. */
export interface CsvColumn {
  /** The stored name. */
  readonly name: string
  /** The type of all of its values, from its heading; absent when the heading has none. */
  readonly type: EdmType | undefined
  /** Whether its cells are the types of the column with the same name. */
  readonly isOfTypes: boolean
}

/**
 * Reads the heading of a column in either dialect: `age`, `age:Int32`, `age@type` or `age@odata.type`.
 *
 * @param heading - the cell of the first line
 */
export function parseHeading(heading: string): CsvColumn {
  const [, typed = '', suffix = ''] = /^(.*):(?:Edm\.)?(\w+)$/.exec(heading) ?? []
  if (isEdmType(suffix)) return { name: typed, type: suffix, isOfTypes: false }
  const [, name] = /^(.+)@(?:odata\.)?type$/.exec(heading) ?? []
  return { name: name ?? heading, type: undefined, isOfTypes: name !== undefined }
}
