import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FilterNode, filter } from '@rowkey/odata'
import type { Account } from 'rowkey'
import { rowsWhere } from '../condition/query-options.ts'
import { cliInputError } from '../errors/codes.ts'
import { makeFolder, replaceFile } from '../shell/files.ts'
import type { Shell } from '../shell/shell.ts'
import { readPosition, writePosition } from '../sweep/resume-file.ts'
import { tableNames } from '../target/open-account.ts'
import { exportToFile } from '../transfer/export-table.ts'
import {
  type BackupFile,
  type BackupRun,
  digestOf,
  fileNameOf,
  isRun,
  MANIFEST,
  type Manifest,
  readManifest,
} from './manifest.ts'

/** Milliseconds by which the clocks of the service and of this machine may differ. */
const CLOCK_SKEW = 15 * 60_000

/** What to back up, and where to. */
export interface BackupPlan {
  readonly shell: Shell
  readonly account: Account
  /** The name of the account. */
  readonly place: string
  readonly folder: string
  /** The tables; all when empty. */
  readonly tables: readonly string[]
  /** Whether only rows are read that changed since the last run. */
  readonly isIncremental: boolean
  readonly concurrency: number
  /** Called when rows were read. */
  readonly onRows: (rows: number) => void
}

/**
 * Writes the rows of tables to a folder, and then the manifest. A run that is interrupted leaves the manifest as it was; the next one
 * goes on with the table that it was reading.
 *
 * An incremental run finds changed rows by their Timestamp, which the service does not index: it reads as much as a whole one, and stores less.
 * It cannot see that a row was deleted.
 */
export async function backUpTables(plan: BackupPlan): Promise<BackupRun> {
  const { shell, account, folder, tables, isIncremental } = plan
  const manifest = await manifestFor(plan)
  const number = manifest.runs.length + 1
  const path = join(folder, 'run.json')
  const subject = { command: 'backup', account: manifest.account, number, isIncremental, tables }
  const stored = await readPosition(path, subject, (value): value is Run => isRun(value, number))
  if (stored === undefined) await checkTables(plan)
  const run = stored ?? { startedAt: new Date(shell.now()).toISOString(), files: [] }
  const names = tables.length > 0 ? tables : await tableNames(account, { signal: shell.signal })
  if (names.length === 0) {
    throw cliInputError('InvalidArgument', `${plan.place} has no tables, so nothing was saved.`)
  }
  await makeFolder(folder)
  for (const name of names) {
    if (run.files.some(({ table }) => table === name)) continue
    await writePosition(path, subject, run)
    const since = isIncremental ? changedSince(manifest, name) : undefined
    run.files.push(await backUpTable(plan, name, { number, since, startedAt: run.startedAt }))
  }
  const all: Manifest = { ...manifest, runs: [...manifest.runs, run] }
  await replaceFile(join(folder, MANIFEST), `${JSON.stringify(all, undefined, 2)}\n`)
  await rm(path, { force: true })
  return run
}

/** A run that is not finished. */
interface Run extends BackupRun {
  readonly files: BackupFile[]
}

/** Reads a key of each table that has a name: a mistyped one is found before anything is written. */
async function checkTables({ account, tables, shell: { signal } }: BackupPlan): Promise<void> {
  for (const name of tables) {
    const query = account.table(name).query().allowTableScan().select('partitionKey')
    await query.firstOrUndefined({ signal })
  }
}

async function manifestFor({ place, folder }: BackupPlan): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (manifest === undefined) return { format: 'rowkey backup 1', account: place, runs: [] }
  if (manifest.account === place) return manifest
  throw cliInputError(
    'DamagedBackup',
    `${folder} is a backup of ${manifest.account}, not of ${place}. Use another folder.`,
  )
}

function changedAfter(since: string): FilterNode {
  return filter`Timestamp ge ${new Date(since)}`
}

/** The time since which rows of a table may have changed that the last run with this table lacks. */
function changedSince({ runs }: Manifest, name: string): string | undefined {
  const last = runs.findLast(({ files }) => files.some(({ table }) => table === name))
  if (last === undefined) return undefined
  return new Date(Date.parse(last.startedAt) - CLOCK_SKEW).toISOString()
}

async function backUpTable(
  plan: BackupPlan,
  name: string,
  run: { readonly number: number; readonly since: string | undefined; readonly startedAt: string },
): Promise<BackupFile> {
  const { shell, account, place, folder, concurrency, onRows } = plan
  const { number, since, startedAt } = run
  const file = fileNameOf(number, name)
  const path = join(folder, file)
  const table = account.table(name)
  const query = table.query()
  const { rows } = await exportToFile({
    shell,
    table,
    path,
    format: 'ndjson',
    isZipped: true,
    query: since === undefined ? query : rowsWhere(table, query, changedAfter(since)),
    concurrency,
    // Rows of a run that was given up are older than this one says.
    subject: { command: 'backup', account: place, table: name, since, startedAt },
    onRows,
  })
  return {
    table: name,
    file,
    rows,
    sha256: await digestOf(path, shell.signal),
    ...(since !== undefined && { since }),
  }
}
