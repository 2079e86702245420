import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { cliInputError } from '../errors/codes.ts'
import { isMissing, readIfExists } from '../shell/files.ts'

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
 * Reads the manifest of a backup.
 *
 * @param folder - the folder of the backup
 * @returns `undefined` when the folder has none
 * @throws InputError with the code `DamagedBackup` for a file that is not a manifest
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readIfExists(join(folder, MANIFEST))
  if (text === undefined) return undefined
  const manifest = parsed(text)
  const isWhole = manifest?.runs?.every?.((run) => Array.isArray(run?.files))
  if (manifest?.format === 'rowkey backup 1' && isWhole) return manifest
  throw cliInputError('DamagedBackup', `${join(folder, MANIFEST)} is not the manifest of a backup.`)
}

function parsed(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest
  } catch {
    return undefined
  }
}

/** A file of a backup that is not as the manifest says. */
export interface Damage {
  readonly file: string
  readonly problem: 'missing' | 'changed'
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
  for (const { file, sha256 } of manifest.runs.flatMap(({ files }) => files)) {
    const found = await digestOf(join(folder, file), signal)
    if (found !== sha256)
      damages.push({ file, problem: found === undefined ? 'missing' : 'changed' })
  }
  return damages
}

/**
 * Returns the SHA-256 of a file, in hexadecimal; `undefined` when it is missing.
 *
 * @param path - the file
 * @param signal - ends the reading
 */
export async function digestOf(path: string, signal: AbortSignal): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Uint8Array)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  return hash.digest('hex')
}
