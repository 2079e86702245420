import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { cliInputError } from '../errors/codes.ts'
import type { Shell } from '../shell/shell.ts'
import { jsonObjects } from './json-objects.ts'
import { type CsvForm, readCsv } from './read-csv.ts'
import { parseRowLine, type RowLine } from './row-line.ts'
import { textLines } from './text-lines.ts'

/** The formats of files. */
export type FileFormat = 'ndjson' | 'json' | 'csv' | 'explorer-csv'

/** The name of the standard input and output. */
export const STANDARD = '-'

/** The formats, by the ends of names. */
const FORMATS: Readonly<Record<string, FileFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  csv: 'csv',
}

/**
 * Returns the format that the name of a file says: `.json`, `.csv`, and NDJSON for a name without an ending; `.gz` at the end does
 * not count.
 *
 * @param path - the file
 * @throws InputError with the code `InvalidArgument` for the ending of another format
 */
export function formatOfFile(path: string): FileFormat {
  const name = path.replace(/\.gz$/i, '')
  const [, ending] = /\.([a-z][a-z0-9]*)$/i.exec(name) ?? []
  const format = ending === undefined ? 'ndjson' : FORMATS[ending.toLowerCase()]
  if (format !== undefined) return format
  throw cliInputError(
    'InvalidArgument',
    `.${ending} is not the ending of a format. Give --format with ndjson, json, csv or explorer-csv.`,
  )
}

/** Where rows come from. */
export interface RowFile extends CsvForm {
  /** The file; `-` for the standard input. */
  readonly path: string
  /** The format; the one that the name says when absent. */
  readonly format?: FileFormat | undefined
  /** Called with the number of bytes that were read from the file. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * Reads the rows of a file or of the standard input. Content that is compressed by gzip is recognized, and so is JSON where NDJSON is
 * expected.
 *
 * @param shell - the standard input, and the signal that ends the reading
 * @param file - the file
 * @throws InputError with the code `UnreadableInput` that names the line, and `InvalidArgument` for options of CSV with another format
 */
export async function* readRows(
  shell: Pick<Shell, 'input' | 'signal'>,
  { path, format = formatOfFile(path), onBytes, ...form }: RowFile,
): AsyncGenerator<RowLine, void, undefined> {
  const { signal } = shell
  const bytes =
    path === STANDARD ? shell.input : createReadStream(path, { highWaterMark: 256 * 1024, signal })
  const text = decoded(
    unzipped(onBytes === undefined ? bytes : counted(bytes, onBytes), path),
    path,
  )
  if (format === 'csv' || format === 'explorer-csv') return yield* readCsv(text, path, form)
  if (Object.keys(form.types ?? {}).length > 0 || form.delimiter !== undefined) {
    throw cliInputError(
      'InvalidArgument',
      'JSON has the type of each value. --type and --delimiter are for CSV.',
    )
  }
  const [first = '', all] = await beginning(text)
  if (format === 'json' || isJson(first)) {
    for await (const { text: object, place } of jsonObjects(all, path)) {
      yield parseRowLine(object, `${path}, ${place}`)
    }
    return
  }
  let number = 0
  for await (const line of textLines(all, path)) {
    number++
    if (line.trim() !== '') yield parseRowLine(line, `${path}, line ${number}`)
  }
}

/** Tells whether a text begins as an array, as a wrapper of one, or as an object of several lines. */
function isJson(first: string): boolean {
  return /^\s*(?:\[|\{\s*(?:\n|(?:"odata\.metadata"\s*:\s*"[^"]*"\s*,\s*)?"(?:value|items)"\s*:\s*\[))/.test(
    first,
  )
}

/** Tells whether a text is long enough for {@link isJson}. A writer may wait after each line, so one line is enough. */
function showsForm(first: string): boolean {
  return first.length > 65_536 || /^\s*\S(?:[^\n]*\n|[^\n]{64})/.test(first)
}

/** Reads the first text of a stream, and returns it and a stream of all. */
async function beginning(
  chunks: AsyncIterable<string>,
): Promise<readonly [first: string | undefined, all: AsyncIterable<string>]> {
  const iterator = chunks[Symbol.asyncIterator]()
  let first: string | undefined
  while (first === undefined || !showsForm(first)) {
    const next = await iterator.next()
    if (next.done === true) break
    first = (first ?? '') + next.value
  }
  const all = (async function* () {
    if (first !== undefined) yield first
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
  return [first, all]
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

/** Decodes UTF-8, and UTF-16 with a byte order mark. Other encodings would become other texts without an error. */
async function* decoded(
  chunks: AsyncIterable<Uint8Array | string>,
  path: string,
): AsyncGenerator<string, void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const decode = (chunk?: Uint8Array): string => {
    try {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true })
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw cliInputError('UnreadableInput', `${path} is not UTF-8 text. Save it as UTF-8.`, cause)
    }
  }
  for await (const chunk of withMark(chunks)) {
    if (typeof chunk === 'string') {
      yield decoder === undefined ? chunk.replace(/^\uFEFF/, '') : chunk
      decoder ??= new TextDecoder()
    } else yield decode(chunk)
  }
  yield decode()
}

/** Joins the first chunks until they have the two bytes that show an encoding or gzip. */
async function* withMark(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string, void, undefined> {
  let held: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of chunks) {
    if (held === undefined || typeof chunk === 'string') yield chunk
    else {
      const bytes: Uint8Array = Buffer.concat([held, chunk])
      held = bytes.length < 2 ? bytes : undefined
      if (held === undefined) yield bytes
    }
  }
  if (held !== undefined) yield held
}

function encodingOf(bytes: Uint8Array = new Uint8Array()): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** Unzips content that begins as gzip does. */
async function* unzipped(
  chunks: AsyncIterable<Uint8Array | string>,
  path: string,
): AsyncGenerator<Uint8Array | string, void, undefined> {
  const iterator = withMark(chunks)[Symbol.asyncIterator]()
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
    const { code, message }: NodeJS.ErrnoException = Object(cause)
    if (!String(code).startsWith('Z_')) throw cause
    throw cliInputError('UnreadableInput', `${path} is not a whole gzip file: ${message}.`, cause)
  }
}
