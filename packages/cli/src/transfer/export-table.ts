import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { type FileHandle, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DynamicEntity } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { TextForm } from '../rows/csv-columns.ts'
import type { FileFormat } from '../rows/read-rows.ts'
import { printRowLine } from '../rows/row-line.ts'
import { makePrivateFolder, openPrivate, PRIVATE_FILE } from '../shell/files.ts'
import type { Shell } from '../shell/shell.ts'
import { type ResumeSubject, readPosition, writePosition } from '../sweep/resume-file.ts'
import {
  isRanges,
  type RangeState,
  rangesOf,
  type Sweep,
  sweepRanges,
} from '../sweep/sweep-table.ts'
import type { RowTable } from '../target/open-account.ts'
import { formattedRows } from './formatted-rows.ts'
import { isCount } from './import-result.ts'

/** What to export, and where to. */
export interface ExportPlan extends Omit<Sweep, 'signal'> {
  readonly shell: Shell
  readonly table: RowTable
  /** The file. */
  readonly path: string
  readonly format: FileFormat
  /** How CSV writes texts; as they are when absent. */
  readonly written?: TextForm | undefined
  readonly isZipped: boolean
  /** Tells whether a row that was read belongs into the file; all do when absent. */
  readonly isWanted?: ((row: DynamicEntity) => boolean) | undefined
  /** What must be the same when the export goes on. */
  readonly subject: ResumeSubject
  /** Called when rows were read, with the part of the ranges that is done. */
  readonly onRows: (rows: number, fraction: number) => void
}

/** The rows of one range so far. */
interface PartState extends RangeState {
  rows: number
  /** How many rows were read and left out. */
  leftOut: number
  /** How many bytes of its file count; what follows was written after the position. */
  bytes: number
}

/** Tells whether a position is that of an export. */
function isParts(position: unknown): position is PartState[] {
  return (
    isRanges(position) &&
    position.every(({ rows, leftOut, bytes }: Partial<PartState>) =>
      [rows, leftOut, bytes].every(isCount),
    )
  )
}

/** Milliseconds between two positions. */
const PAUSE = 1_000

/**
 * Exports rows to a file. Each range is written to a file of its own below `<path>.partial`, beside its position. At the end they
 * become one file in the order of keys. Whatever ends the process, the next export goes on, and a file at `path` is whole.
 *
 * @returns how many rows the file has, how many of them an earlier run had written, and how many were left out
 */
export async function exportToFile(
  plan: ExportPlan,
): Promise<{ readonly rows: number; readonly resumed: number; readonly leftOut: number }> {
  const { shell, table, query, path, subject, concurrency } = plan
  const folder = `${path}.partial`
  const position = join(folder, 'position.json')
  if (existsSync(folder)) await makePrivateFolder(folder)
  const parts =
    (await readPosition(position, subject, isParts)) ??
    (await rangesOf(table, query, concurrency, shell.signal)).map((range) => ({
      ...range,
      rows: 0,
      leftOut: 0,
      bytes: 0,
    }))
  const resumed = rowsOf(parts)
  await makePrivateFolder(folder)
  const save = () => writePosition(position, subject, parts)
  await save()
  try {
    await writeParts(plan, parts, save)
  } catch (error) {
    // When nothing was read, the next export may have other options.
    if (!parts.some(isBegun)) await rm(folder, { recursive: true })
    throw error
  }
  await save()
  await checkParts(folder, parts)
  const text = Readable.from(formattedRows(plan.format, plan.written, () => linesOf(folder, parts)))
  const whole = createWriteStream(join(folder, 'whole'), { flush: true, mode: PRIVATE_FILE })
  const { signal } = shell
  await (plan.isZipped
    ? pipeline(text, createGzip(), whole, { signal })
    : pipeline(text, whole, { signal }))
  await rename(join(folder, 'whole'), path)
  await rm(position) // first, because it counts on the files beside it
  await rm(folder, { recursive: true })
  const leftOut = parts.reduce((sum, part) => sum + part.leftOut, 0)
  return { rows: rowsOf(parts), resumed, leftOut }
}

const partPath = (folder: string, at: number): string => join(folder, `${at}.ndjson`)

const rowsOf = (parts: readonly PartState[]): number =>
  parts.reduce((sum, { rows }) => sum + rows, 0)

const isBegun = ({ token, isDone }: PartState): boolean => token !== undefined || isDone === true

/** Reads what is missing of each range into its file. */
async function writeParts(
  plan: ExportPlan,
  parts: readonly PartState[],
  save: () => Promise<void>,
): Promise<void> {
  const { shell, path, onRows, isWanted = () => true } = plan
  const files = await Promise.all(
    parts.map(({ bytes }, at) => openPart(partPath(`${path}.partial`, at), bytes)),
  )
  let saved = shell.now()
  let saving: Promise<void> | undefined
  /** One position at a time; the rows that it counts are on the disk before it. */
  const saveSoon = (): Promise<void> | undefined => {
    if (saving !== undefined || shell.now() - saved < PAUSE) return saving
    saved = shell.now()
    const state = structuredClone(parts)
    saving = Promise.all(files.map((file) => file.datasync()))
      .then(() => writePosition(join(`${path}.partial`, 'position.json'), plan.subject, state))
      .finally(() => {
        saving = undefined
      })
    return saving
  }
  try {
    await sweepRanges({ ...plan, signal: shell.signal }, parts, async (read, at) => {
      const rows = read.filter(isWanted)
      const part = parts[at] as PartState
      await saveSoon()
      const bytes = Buffer.from(rows.map((row) => `${printRowLine(row)}\n`).join(''))
      // On a full disk, `write` could store some of the bytes and resolve.
      await (files[at] as FileHandle).appendFile(bytes)
      part.bytes += bytes.length
      part.rows += rows.length
      part.leftOut += read.length - rows.length
      onRows(rows.length, parts.filter(({ isDone }) => isDone).length / parts.length)
    })
    await Promise.all(files.map((file) => file.datasync()))
    await save()
  } finally {
    await saving?.catch(() => {})
    await Promise.all(files.map((file) => file.close()))
  }
}

/** Opens a file to append to its first bytes, and creates it when it is missing. */
async function openPart(path: string, bytes: number): Promise<FileHandle> {
  const file = await openPrivate(path, 'append')
  if ((await file.stat()).size < bytes) {
    await file.close()
    throw cliInputError(
      'ResumeMismatch',
      `${path} lacks rows that an earlier export wrote. Delete the folder ${dirname(path)} to begin anew.`,
    )
  }
  await file.truncate(bytes)
  return file
}

/** Two exports to one file append to the same parts, and each would count its own rows only. */
async function checkParts(folder: string, parts: readonly PartState[]): Promise<void> {
  const files = await Promise.all(parts.map((_, at) => stat(partPath(folder, at))))
  if (files.every(({ size }, at) => size === parts[at]?.bytes)) return
  await rm(folder, { recursive: true })
  throw cliInputError(
    'ResumeMismatch',
    `Another command has written to ${folder}, so the rows of both were mixed. Export again, one command at a time.`,
  )
}

/** Yields the lines of all ranges, as bytes. */
async function* linesOf(
  folder: string,
  parts: readonly PartState[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const at of parts.keys())
    yield* createReadStream(partPath(folder, at), { highWaterMark: 256 * 1024 })
}
