import { Readable } from 'node:stream'
import { type EdmType, edmCodecs, isEdmType } from '@rowkey/odata'
import { CsvError, parse } from 'csv-parse'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { type CsvColumn, parseHeading, SYSTEM } from './csv-columns.ts'
import type { RowLine } from './row-line.ts'

/** The types of columns whose headings have none, by their names. */
export type ColumnTypes = Readonly<Record<string, EdmType>>

/** A record of csv-parse with its place. */
interface CsvRecord {
  readonly record: readonly (string | null)[]
  readonly info: { readonly lines: number }
}

/**
 * Reads rows of CSV with typed headings (`age:Int32`), of Storage Explorer (`age@type` beside `age`), or without types, where all
 * values are texts. Newer versions of Storage Explorer write types only in the first row: a type holds until a later row has another.
 * An empty cell is a missing value, and `""` is an empty text.
 *
 * @param chunks - UTF-8, with or without a byte order mark
 * @param file - the name of the file, for messages
 * @param types - the types of columns whose headings have none
 * @throws InputError with the code `UnreadableInput` that names the line, and `InvalidArgument` for the type of a missing column
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array | string>,
  file: string,
  types: ColumnTypes = {},
): AsyncGenerator<RowLine, void, undefined> {
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  })
  // pipeline() would wait for the end of a stream that the reader leaves.
  Readable.from(chunks)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser)
  let reader: CsvReader | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      if (reader === undefined) reader = new CsvReader(record, types)
      else yield { row: placed(file, info.lines, () => reader?.rowOf(record)) }
    }
  } catch (cause) {
    if (cause instanceof CsvError) {
      throw cliInputError('UnreadableInput', `${file}: ${cause.message}`, cause)
    }
    throw cause
  }
}

/** Reads with the place of a record in front of the message of an error. */
function placed(file: string, line: number, read: () => DynamicEntity | undefined): DynamicEntity {
  try {
    return read() as DynamicEntity
  } catch (cause) {
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
    const ownTypes = this.#readTypes(cells)
    const keys: Record<string, string> = Object.create(null)
    const properties = new Map<string, EntityProperty>()
    for (const [at, { name, type, isOfTypes }] of this.#columns.entries()) {
      const text = cells[at] ?? (ownTypes.get(name) === 'String' && !isOfTypes ? '' : null)
      if (isOfTypes || text === null) continue
      if (name === '') {
        const reason = `Column ${at + 1} has a value and no name. Name it in the first line, or delete it.`
        throw cliInputError('UnreadableInput', reason)
      }
      if (properties.has(name) || keys[name] !== undefined) {
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
      const absent = ['PartitionKey', 'RowKey'].find(
        (name) => !this.#columns.some((column) => column.name === name),
      )
      throw cliInputError(
        'UnreadableInput',
        absent === undefined
          ? 'A row needs PartitionKey and RowKey; write "" for an empty one.'
          : `The first line has no column "${absent}". Name it so, and separate columns with commas.`,
      )
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
        throw cliInputError('UnreadableInput', `"${text}" of ${name}@type is not an Edm type.`)
      }
      own.set(name, text)
      this.#types.set(name, text)
    }
    return own
  }
}

/**
 * Reads a value from text, as entity JSON has it, and in the forms that spreadsheets and Storage Explorer write.
 *
 * @param type - the Edm type
 * @param text - the text
 * @param name - the property's name, for messages
 */
export function readCell(type: EdmType, text: string, name: string): EntityProperty {
  return EntityProperty.read(type, jsonOf(type, text), name)
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
