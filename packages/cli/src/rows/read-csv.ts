import { type EdmType, edmCodecs, isEdmType, isRowkeyError } from '@rowkey/odata'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { type CsvColumn, parseHeading, SYSTEM } from './csv-columns.ts'
import { csvRecords } from './csv-records.ts'
import type { RowLine } from './row-line.ts'

/** The types of columns whose headings have none, by their names. */
export type ColumnTypes = Readonly<Record<string, EdmType>>

/** How CSV is read. */
export interface CsvForm {
  /** The types of columns whose headings have none. */
  readonly types?: ColumnTypes | undefined
  /** The character between cells; a comma when absent. */
  readonly delimiter?: string | undefined
}

/**
 * Reads rows of CSV with typed headings (`age:Int32`), of Storage Explorer (`age@type` beside `age`), or without types, where all
 * values are texts. Newer versions of Storage Explorer write types only in the first row: a type holds until a later row has another.
 * An empty cell is a missing value, and `""` is an empty text. Lines of empty cells are left out. A first line `#TYPE`, which PowerShell writes, is left out.
 *
 * @param chunks - the text
 * @param file - the name of the file, for messages
 * @param form - how it is read
 * @throws InputError with the code `UnreadableInput` that names the line, and `InvalidArgument` for the type of a missing column
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  file: string,
  { types = {}, delimiter = ',' }: CsvForm = {},
): AsyncGenerator<RowLine, void, undefined> {
  let reader: CsvReader | undefined
  for await (const { cells, line } of csvRecords(chunks, delimiter, file)) {
    if (line === 1 && cells[0]?.startsWith('#TYPE ')) continue
    // What spreadsheets leave of a deleted row.
    if (cells.every((cell) => cell === null)) continue
    if (reader === undefined) reader = placed(file, line, () => new CsvReader(cells, types))
    else yield { row: placed(file, line, () => (reader as CsvReader).rowOf(cells)) }
  }
}

/** Reads with the place of a record in front of the message of an error. */
function placed<Result>(file: string, line: number, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    if (isRowkeyError(cause) && cause.code === 'InvalidArgument') throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw cliInputError('UnreadableInput', `${file}, line ${line}: ${reason}`, cause)
  }
}

/** Makes rows of the records that follow the first line. */
class CsvReader {
  readonly #columns: readonly CsvColumn[]
  /** The type of each column without one in its heading, as the last row that had one. */
  readonly #types: Map<string, EdmType>

  constructor(headings: readonly (string | null)[], types: ColumnTypes) {
    this.#columns = headings.map((heading) => parseHeading(heading ?? ''))
    checkHeadings(this.#columns)
    const untyped = this.#columns.filter((column) => column.type === undefined)
    const missing = Object.keys(types).find(
      (name) => SYSTEM.includes(name) || !untyped.some((column) => column.name === name),
    )
    if (missing !== undefined) {
      throw cliInputError(
        'InvalidArgument',
        `--type ${missing}: the CSV has no column of this name without a type.`,
      )
    }
    this.#types = new Map(Object.entries(types))
  }

  rowOf(cells: readonly (string | null)[]): DynamicEntity {
    if (cells.length !== this.#columns.length) {
      const reason = `The line has ${cells.length} cells, and the first line has ${this.#columns.length}.`
      throw cliInputError('UnreadableInput', reason)
    }
    const ownTypes = this.#readTypes(cells)
    const keys: Record<string, string> = Object.create(null)
    const properties = new Map<string, EntityProperty>()
    for (const [at, { name, type, isOfTypes }] of this.#columns.entries()) {
      const text = cells[at] ?? (ownTypes.get(name) === 'String' ? '' : null)
      if (isOfTypes || text === null) continue
      if (name === '') {
        const reason = `Column ${at + 1} has a value and no name. Name it in the first line, or delete it.`
        throw cliInputError('UnreadableInput', reason)
      }
      if (properties.has(name)) {
        throw cliInputError('UnreadableInput', `${name} has two values.`)
      }
      if (name === 'PartitionKey' || name === 'RowKey') keys[name] = text
      else if (name !== 'Timestamp') {
        const found = type ?? this.#types.get(name)
        // Without a type, it is the ETag of the row that other programs export.
        if (found === undefined && /^etag$/i.test(name)) continue
        properties.set(name, readCell(found ?? 'String', text, name))
      }
    }
    const { PartitionKey, RowKey } = keys
    if (PartitionKey === undefined || RowKey === undefined) {
      const reason = 'A row needs PartitionKey and RowKey; write "" for an empty one.'
      throw cliInputError('UnreadableInput', reason)
    }
    return new DynamicEntity(PartitionKey, RowKey, properties)
  }

  /** Reads the cells with types, and keeps them for the rows that follow. */
  #readTypes(cells: readonly (string | null)[]): ReadonlyMap<string, EdmType> {
    const own = new Map<string, EdmType>()
    for (const [at, { name, isOfTypes }] of this.#columns.entries()) {
      const text = cells[at]?.replace(/^Edm\./, '') ?? ''
      if (!isOfTypes || text === '' || text === 'Null') continue
      if (!isEdmType(text)) {
        const reason = `${JSON.stringify(text)} of ${name}@type is not a type. ${TYPES}`
        throw cliInputError('UnreadableInput', reason)
      }
      own.set(name, text)
      this.#types.set(name, text)
    }
    return own
  }
}

/** Rejects headings that no row can have. */
function checkHeadings(columns: readonly CsvColumn[]): void {
  const seen = new Set<string>()
  for (const { name, type, isOfTypes } of columns) {
    if (name !== '') checkName(name)
    const heading = `${name}:${isOfTypes ? '@' : SYSTEM.includes(name) ? '' : (type ?? '')}`
    if (name !== '' && seen.has(heading)) {
      throw cliInputError('UnreadableInput', `Two columns are called ${name}.`)
    }
    seen.add(heading)
  }
  for (const key of ['PartitionKey', 'RowKey']) {
    if (columns.some(({ name }) => name === key)) continue
    throw cliInputError('UnreadableInput', `No column is called ${key}. ${adviceFor(key, columns)}`)
  }
}

/** Rejects a heading that no property can have, before a row is read. */
function checkName(name: string): void {
  const [, suffix] = /:(\w+)$/.exec(name) ?? []
  if (suffix !== undefined) {
    const reason = `${JSON.stringify(suffix)} of the heading ${JSON.stringify(name)} is not a type. ${TYPES}`
    throw cliInputError('UnreadableInput', reason)
  }
}

function adviceFor(key: string, columns: readonly CsvColumn[]): string {
  const plain = (name: string): string => name.replace(/[\s_-]/g, '').toLowerCase()
  const near = columns.find(({ name }) => plain(name) === plain(key))
  if (near !== undefined) return `${JSON.stringify(near.name)} is; correct it.`
  const [only] = columns.length === 1 ? columns : []
  const delimiter = [';', '\t', '|'].find((each) => only?.name.includes(each))
  if (delimiter === undefined) return 'The first line must have the names of the columns.'
  const option = delimiter === '\t' ? 'tab' : `"${delimiter}"`
  return `If ${option === 'tab' ? 'tabs separate' : `${option} separates`} the columns, give --delimiter ${option}.`
}

/** The most characters of a value in a message. */
const MOST_SHOWN = 40

/**
 * Reads a value from text, as entity JSON has it, and in the forms that spreadsheets and Storage Explorer write.
 *
 * @param type - the Edm type
 * @param text - the text
 * @param name - the property's name, for messages
 * @throws InputError with the code `UnreadableInput`; its message shows the text, because it is the user's own
 */
export function readCell(type: EdmType, text: string, name: string): EntityProperty {
  try {
    return EntityProperty.read(type, jsonOf(type, text), name)
  } catch (cause) {
    const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
    const [, expected = ''] = /, which is not a valid (.*)$/s.exec((cause as Error).message) ?? []
    const message = `${name} is ${JSON.stringify(shown)}, which is not a valid ${expected}`
    throw cliInputError('UnreadableInput', message, cause)
  }
}

function jsonOf(type: EdmType, text: string): unknown {
  switch (type) {
    case 'Boolean':
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text
    case 'Int32':
      return /^-?\d+$/.test(text) ? Number(text) : text
    default:
      return text // the codecs of all other types read text
  }
}

/** The types that `--type` accepts. */
export const COLUMN_TYPES: readonly string[] = Object.keys(edmCodecs)

const TYPES = `Types are ${COLUMN_TYPES.join(', ')}.`
