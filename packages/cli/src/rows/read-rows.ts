import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { cliInputError } from '../errors/codes.ts'
import type { Shell } from '../shell/shell.ts'
import { type ColumnTypes, readCsv } from './read-csv.ts'
import { parseRowLine, type RowLine } from './row-line.ts'
import { textLines } from './text-lines.ts'

/** The formats of files. */
export type FileFormat = 'ndjson' | 'csv' | 'explorer-csv'

/** The name of the standard input and output. */
export const STANDARD = '-'

/**
 * Returns the format that the name of a file says: `.csv`, and NDJSON for all others; `.gz` at the end does not count.
 *
 * @param path - the file
 */
export function formatOfFile(path: string): FileFormat {
  return /\.csv(?:\.gz)?$/i.test(path) ? 'csv' : 'ndjson'
}

/** Where rows come from. */
export interface RowFile {
  /** The file; `-` for the standard input. */
  readonly path: string
  /** The format; the one that the name says when absent. */
  readonly format?: FileFormat | undefined
  /** The types of columns of CSV whose headings have none. */
  readonly types?: ColumnTypes
  /** Called with the number of bytes that were read from the file. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * Reads the rows of a file or of the standard input. Content that is compressed by gzip is recognized.
 *
 * @param shell - the standard input, and the signal that ends the reading
 * @param file - the file
 * @throws InputError with the code `UnreadableInput` that names the line, and `InvalidArgument` for types of columns that NDJSON lacks
 */
export async function* readRows(
  shell: Pick<Shell, 'input' | 'signal'>,
  { path, format = formatOfFile(path), types, onBytes }: RowFile,
): AsyncGenerator<RowLine, void, undefined> {
  const { signal } = shell
  const bytes =
    path === STANDARD ? shell.input : createReadStream(path, { highWaterMark: 256 * 1024, signal })
  const text = utf8(unzipped(onBytes === undefined ? bytes : counted(bytes, onBytes), path), path)
  if (format !== 'ndjson') return yield* readCsv(text, path, types)
  if (Object.keys(types ?? {}).length > 0) {
    throw cliInputError('InvalidArgument', 'NDJSON has the type of each value. --type is for CSV.')
  }
  let number = 0
  for await (const line of textLines(text, path)) {
    number++
    if (line.trim() !== '') yield parseRowLine(line, `${path}, line ${number}`)
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array | string>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array | string, void, undefined> {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

/** Decodes UTF-8, with or without a byte order mark. Other encodings would become other texts without an error. */
async function* utf8(
  chunks: AsyncIterable<Uint8Array | string>,
  path: string,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw cliInputError('UnreadableInput', `${path} is not UTF-8 text. Save it as UTF-8.`, cause)
    }
  }
  for await (const chunk of chunks) yield typeof chunk === 'string' ? chunk : decode(chunk)
  yield decode()
}

/** Unzips content that begins as gzip does. */
async function* unzipped(
  chunks: AsyncIterable<Uint8Array | string>,
  path: string,
): AsyncGenerator<Uint8Array | string, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]()
  const { value: first, done } = await iterator.next()
  if (done === true) return
  const all = (async function* () {
    yield first
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
  const isZipped = typeof first !== 'string' && first[0] === 0x1f && first[1] === 0x8b
  if (!isZipped) return yield* all
  const gunzip = createGunzip()
  Readable.from(all)
    .on('error', (error) => gunzip.destroy(error))
    .pipe(gunzip)
  try {
    yield* gunzip
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')))
      throw cause
    throw cliInputError(
      'UnreadableInput',
      `${path} is not a whole gzip file: ${cause.message}.`,
      cause,
    )
  }
}
