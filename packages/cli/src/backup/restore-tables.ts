import { join } from 'node:path'
import type { Account } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { readRows } from '../rows/read-rows.ts'
import type { RowLine } from '../rows/row-line.ts'
import type { Shell } from '../shell/shell.ts'
import { type ImportResult, noResult } from '../transfer/import-result.ts'
import { importRows } from '../transfer/import-rows.ts'
import type { OnExisting } from '../transfer/on-existing.ts'
import { type BackupFile, damagesOf, type Manifest } from './manifest.ts'

/** What to restore, and where to. */
export interface RestorePlan {
  readonly shell: Shell
  readonly account: Account
  /** The name of the account. */
  readonly place: string
  readonly folder: string
  readonly manifest: Manifest
  /** The tables; all of the backup when empty. */
  readonly tables: readonly string[]
  readonly onExisting: OnExisting
  /** Called when rows were written. */
  readonly onRows: (rows: number) => void
}

/**
 * Writes the rows of a backup to tables, which are created when they are missing: the last run first, so that each row is written once, with
 * its last values. It holds the keys of incremental runs. It first compares all files with the manifest.
 *
 * @returns what became of the rows of each table
 * @throws InputError with the code `DamagedBackup`, or `InvalidArgument` for a table that the backup lacks, before anything is written
 */
export async function restoreTables(plan: RestorePlan): Promise<ReadonlyMap<string, ImportResult>> {
  const { shell, account, place, folder, manifest, tables, onExisting, onRows } = plan
  checkTables(manifest, tables)
  const damages = await damagesOf(folder, manifest, shell.signal)
  if (damages.length > 0) {
    const list = damages.map(({ file, problem }) => `${file} is ${problem}`)
    throw cliInputError('DamagedBackup', `Nothing was restored: ${list.join(', ')}.`)
  }
  const files = filesToRestore(manifest, tables)
  const results = new Map(files.map(({ table }) => [table, noResult()]))
  const later = new Map(files.map(({ table }) => [table, new Set<string>()]))
  for (const { table: name, file, sha256, since } of files.toReversed()) {
    const table = account.table(name)
    await table.createIfNotExists({ signal: shell.signal })
    const path = join(folder, file)
    const subject = { command: 'restore', account: place, sha256, onExisting }
    const rows = readRows(shell, { path, format: 'ndjson' })
    const result = await importRows({
      table,
      rows: lastRows(rows, { later: later.get(name) as Set<string>, isLast: since === undefined }),
      onExisting,
      segment: 10_000,
      resume: { path: `${path}.restore`, subject },
      signal: shell.signal,
      onRows: (rows) => onRows(rows), // the part of a file is not the part of the backup
    })
    results.set(name, added(results.get(name) as ImportResult, result))
  }
  return results
}

/** Yields the rows that no later run has. */
async function* lastRows(
  rows: AsyncIterable<RowLine>,
  { later, isLast }: { readonly later: Set<string>; readonly isLast: boolean },
): AsyncGenerator<RowLine, void, undefined> {
  for await (const line of rows) {
    const key = JSON.stringify([line.row.partitionKey, line.row.rowKey])
    if (later.has(key)) continue
    if (!isLast) later.add(key)
    yield line
  }
}

function checkTables({ runs }: Manifest, tables: readonly string[]): void {
  const saved = new Set(runs.flatMap(({ files }) => files.map(({ table }) => table)))
  const unknown = tables.find((table) => !saved.has(table))
  if (unknown === undefined) return
  throw cliInputError(
    'InvalidArgument',
    `The backup has no table ${unknown}. It has: ${[...saved].join(', ')}.`,
  )
}

/** Returns the files of each table, from the last one with all of its rows on. */
function filesToRestore({ runs }: Manifest, tables: readonly string[]): readonly BackupFile[] {
  const files = runs.flatMap((run) => run.files)
  return files.filter(({ table }, at) => {
    if (tables.length > 0 && !tables.includes(table)) return false
    const later = files.slice(at + 1).filter((file) => file.table === table)
    return !later.some((file) => file.since === undefined)
  })
}

function added(one: ImportResult, other: ImportResult): ImportResult {
  return {
    written: one.written + other.written,
    skipped: one.skipped + other.skipped,
    failed: one.failed + other.failed,
    resumed: one.resumed + other.resumed,
    failures: [...one.failures, ...other.failures],
  }
}
