import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { corruptedStore, type StoreError } from '../errors/store-error.ts'
import { CommitFile, readCommitFile } from './commits.ts'
import { type Engine, loadEngine, walk } from './engine.ts'
import { storeErrorOf } from './engine-error.ts'
import { commitsInLog, isAscending, isTableFileWhole } from './engine-files.ts'
import { TOTALS_KEY } from './record-key.ts'
import {
  isSealed,
  NO_TOTALS,
  parseTotals,
  type Totals,
  unsealText,
  withRecord,
} from './sealed-text.ts'
import { prepareFolder, recordCommits, restrictFiles } from './store-file.ts'

/** An engine whose records were all checked. */
export interface OpenedEngine {
  readonly engine: Engine
  readonly totals: Totals
  /** Must be renewed after each commit. */
  readonly commitFile: CommitFile
}

/**
 * Opens the engine in a folder, makes both when they do not exist, and checks all content.
 *
 * @throws StoreError when the folder cannot be used or its files are damaged
 */
export async function openEngine(folder: string): Promise<OpenedEngine> {
  try {
    const { commits: recorded } = await prepareFolder(folder)
    const atLeast = Math.max(recorded ?? 0, await readCommitFile(folder), await checkLogs(folder))
    await checkTableFiles(folder)
    const engine = await startEngine(folder, recorded === undefined)
    await restrictFiles(folder)
    return await checked(engine, folder, atLeast)
  } catch (error) {
    throw storeErrorOf(error, folder)
  }
}

async function startEngine(folder: string, createIfMissing: boolean): Promise<Engine> {
  const ClassicLevel = loadEngine(folder)
  // Blocks without compression can be checked without the engine.
  const engine = new ClassicLevel(folder, { createIfMissing, compression: false })
  await engine.open()
  return engine
}

async function checked(engine: Engine, folder: string, commits: number): Promise<OpenedEngine> {
  try {
    const totals = await checkRecords(engine, folder)
    const expected = (await leftOut(folder)) ? totals.commits + 1 : commits
    await recordCommits(folder, Math.max(expected, totals.commits))
    if (totals.commits >= expected) {
      return { engine, totals, commitFile: await CommitFile.open(folder, totals.commits) }
    }
    const found = `at least ${expected} commits were made, and only ${totals.commits} are left`
    throw corruptedStore(folder, found)
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** One file after another: together they may be larger than memory. */
async function checkTableFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\d+\.(?:ldb|sst)$/.test(name))
  for (const name of names) {
    if (isTableFileWhole(await readFile(join(folder, name)))) continue
    throw corruptedStore(folder, `${name} has changed since it was written`)
  }
}

/**
 * Checks the engine's logs before the engine reads them, because the engine skips damaged records.
 *
 * @returns how many commits they certainly contain
 */
async function checkLogs(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => /^\d+\.log$/.test(name))
  let commits = 0
  for (const name of names) {
    const log = await readFile(join(folder, name))
    if (!isAscending(log)) throw corruptedStore(folder, `${name} contains a commit twice`)
    commits = Math.max(commits, commitsInLog(log))
  }
  return commits
}

/** Tells whether the engine has just skipped something. Only its journal says so. */
async function leftOut(folder: string): Promise<boolean> {
  return (await readFile(join(folder, 'LOG'), 'utf8')).includes(': dropping ')
}

/**
 * Reads every record, in order and by its key, and checks that each is unchanged, and that none is
 * missing or was restored. The engine does not check the indexes by which it finds single records:
 * damage there would hide a record.
 *
 * @returns the totals of the store
 * @throws StoreError StoreCorrupted
 */
async function checkRecords(engine: Engine, folder: string): Promise<Totals> {
  let counted = NO_TOTALS
  let noted = NO_TOTALS
  let isWhole = true
  await walk(engine, {}, (key, value) => {
    isWhole = isSealed(key, value) && engine.getSync(key) === value
    if (isWhole && key === TOTALS_KEY) noted = parseTotals(unsealText(key, value) ?? '')
    else if (isWhole) counted = withRecord(counted, undefined, value)
    return isWhole
  })
  if (!isWhole) throw damaged(folder, 'a record has changed since it was written')
  if (counted.records !== noted.records || counted.sum !== noted.sum) {
    throw damaged(folder, `${noted.records} records were written, and ${counted.records} are left`)
  }
  return noted
}

function damaged(folder: string, found: string): StoreError {
  return corruptedStore(folder, found)
}
