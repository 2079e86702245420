import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { cliInputError } from '../errors/codes.ts'
import { isMissing, jsonIn, readIfExists } from '../shell/files.ts'
import { isCount } from '../transfer/import-result.ts'

/** The rows of one table in one run of a backup. */
export interface BackupFile {
  readonly table: string
  /** The name of the file in the folder; compressed NDJSON. */
  readonly file: string
  readonly rows: number
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string
  /** The file has only rows that changed at this time or later, by the clock of the service; all rows when absent. */
  readonly since?: string | undefined
}

/** One run of a backup. */
export interface BackupRun {
  /** When it began: ISO 8601, UTC, by the clock of this machine. */
  readonly startedAt: string
  readonly files: readonly BackupFile[]
}

/** The file `manifest.json` of a backup: its runs, in order. A later run has the rows that changed since an earlier one. */
export interface Manifest {
  readonly format: 'rowkey backup 1'
  /** The account, without its credential. */
  readonly account: string
  readonly runs: readonly BackupRun[]
}

/** The name of the manifest in the folder of a backup. */
export const MANIFEST = 'manifest.json'

/**
 * Names the file of a table in a backup.
 *
 * @param run - the number of the run, from 1
 * @param table - the table
 */
export function fileNameOf(run: number, table: string): string {
  return `${String(run).padStart(4, '0')}-${table}.ndjson.gz`
}

/**
 * Reads the manifest of a backup.
 *
 * @param folder - the folder of the backup
 * @returns `undefined` when the folder has none
 * @throws InputError with the code `DamagedBackup` for a file that is not a manifest, for one that names files outside of the
 * folder, and for an incremental run of a table that has no whole one before it
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, MANIFEST)
  const text = await readIfExists(path)
  if (text === undefined) return undefined
  const manifest = jsonIn(text)
  if (!isManifest(manifest)) {
    throw cliInputError('DamagedBackup', `${path} is not the manifest of a backup.`)
  }
  const baseless = tableWithoutBase(manifest)
  if (baseless === undefined) return manifest
  throw cliInputError(
    'DamagedBackup',
    `${path} has changes of the table ${baseless}, and no whole backup before them.`,
  )
}

function isManifest(value: unknown): value is Manifest {
  const { format, account, runs }: Record<string, unknown> = Object(value)
  if (format !== 'rowkey backup 1' || typeof account !== 'string' || !Array.isArray(runs)) {
    return false
  }
  return runs.length > 0 && runs.every((run, at) => isRun(run, at + 1) && run.files.length > 0)
}

/**
 * Tells whether a value from a file is a run, whose files have the names that a backup gives them.
 *
 * @param value - parsed JSON
 * @param number - the number of the run, from 1
 */
export function isRun(value: unknown, number: number): value is BackupRun {
  const { startedAt, files }: Record<string, unknown> = Object(value)
  return isTime(startedAt) && Array.isArray(files) && files.every((file) => isFile(file, number))
}

function isFile(value: unknown, run: number): value is BackupFile {
  const { table, file, rows, sha256, since }: Record<string, unknown> = Object(value)
  return (
    typeof table === 'string' &&
    /^[^/\\\0]+$/.test(table) &&
    file === fileNameOf(run, table) &&
    isCount(rows) &&
    typeof sha256 === 'string' &&
    (since === undefined || isTime(since))
  )
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

/** Finds a table whose first file has changes only. */
function tableWithoutBase({ runs }: Manifest): string | undefined {
  const files = runs.flatMap((run) => run.files)
  const firsts = new Map(files.toReversed().map((file) => [file.table, file]))
  return [...firsts.values()].find(({ since }) => since !== undefined)?.table
}

/** A file of a backup that is not as the manifest says. */
export interface Damage {
  readonly file: string
  readonly problem: 'missing' | 'changed' | 'miscounted'
}

/**
 * Compares the files of a backup with its manifest.
 *
 * @param folder - the folder
 * @param manifest - its manifest
 * @param signal - ends the reading
 */
export async function damagesOf(
  folder: string,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<readonly Damage[]> {
  const damages: Damage[] = []
  for (const file of manifest.runs.flatMap(({ files }) => files)) {
    const problem = await problemOf(join(folder, file.file), file, signal)
    if (problem !== undefined) damages.push({ file: file.file, problem })
  }
  return damages
}

async function problemOf(
  path: string,
  { rows, sha256 }: BackupFile,
  signal: AbortSignal,
): Promise<Damage['problem'] | undefined> {
  try {
    // A device has no end.
    if (!(await stat(path)).isFile()) return 'changed'
    if ((await digestOf(path, signal)) !== sha256) return 'changed'
    return (await linesIn(path, signal)) === rows ? undefined : 'miscounted'
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
}

/**
 * Returns the SHA-256 of a file, in hexadecimal.
 *
 * @param path - the file
 * @param signal - ends the reading
 */
export async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

const LINE_FEED = 0x0a

/** Counts the lines of a compressed file; `undefined` when it is not compressed. */
async function linesIn(path: string, signal: AbortSignal): Promise<number | undefined> {
  let lines = 0
  const count = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
        lines++
      }
    }
  }
  try {
    await pipeline(createReadStream(path), createGunzip(), count, { signal })
    return lines
  } catch (error) {
    if (String(Object(error).code).startsWith('Z_')) return undefined
    throw error
  }
}
