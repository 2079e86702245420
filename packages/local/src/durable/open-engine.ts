import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { corruptedStore } from '../errors/store-error.ts'
import { CommitFile, readCommitFile } from './commits.ts'
import { type Engine, loadEngine, readValue, walk } from './engine.ts'
import { storeErrorOf } from './engine-error.ts'
import { TOTALS_KEY } from './record-key.ts'
import {
  CHECKSUM_LENGTH,
  NO_TOTALS,
  parseTotals,
  type Totals,
  unsealText,
  withRecord,
} from './sealed-text.ts'
import { prepareFolder, recordCommits, restrictFiles } from './store-folder.ts'

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
    await recordCommits(folder, expected)
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
    const found = commitsInLog(await readFile(join(folder, name)))
    if (found === undefined) throw corruptedStore(folder, `${name} contains a commit twice`)
    commits = Math.max(commits, found)
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
  await walk(engine, {}, (key, value) => {
    const text = unsealText(key, value)
    if (text === undefined || readValue(engine, key) !== value) {
      throw corruptedStore(folder, 'a record has changed since it was written')
    }
    if (key === TOTALS_KEY) noted = parseTotals(text)
    else counted = withRecord(counted, undefined, value)
    return true
  })
  if (counted.records !== noted.records || counted.sum !== noted.sum) {
    throw corruptedStore(
      folder,
      `${noted.records} records were written, and ${counted.records} are left`,
    )
  }
  return noted
}

/** A block of a table file: its offset, and its size without the trailer. */
interface Handle {
  readonly offset: number
  readonly size: number
}

const FOOTER_SIZE = 48
const MAGIC = 0xdb4775248b80fb57n
/** One byte for the kind of compression, four for the checksum. */
const TRAILER_SIZE = 5
const MASK = 0xa282ead8

/**
 * Tells whether every block of a LevelDB table file has the checksum it was written with. The
 * engine does not check on read, and some damage makes it end the process.
 *
 * A file without its last bytes was being written when the process ended. The engine does not use
 * it, and rejects it otherwise.
 *
 * @see https://github.com/google/leveldb/blob/main/doc/table_format.md
 */
export function isTableFileWhole(file: Buffer): boolean {
  const footer = file.subarray(-FOOTER_SIZE)
  if (footer.length < FOOTER_SIZE || footer.readBigUInt64LE(FOOTER_SIZE - 8) !== MAGIC) return true
  // The index of other blocks, and the index of the blocks of records.
  return readHandles(footer, 2).every(
    (handle) =>
      isBlockWhole(file, handle) &&
      handlesIn(blockAt(file, handle)).every((inner) => isBlockWhole(file, inner)),
  )
}

function blockAt(file: Buffer, { offset, size }: Handle): Buffer {
  return file.subarray(offset, offset + size)
}

function isBlockWhole(file: Buffer, { offset, size }: Handle): boolean {
  const end = offset + size + 1
  if (end + TRAILER_SIZE - 1 > file.length) return false
  const crc = crc32c(file.subarray(offset, end))
  return (((crc >>> 15) | (crc << 17)) + MASK) >>> 0 === file.readUInt32LE(end)
}

/** Lists the blocks of an index whose checksum is right. */
function handlesIn(block: Buffer): Handle[] {
  const restarts = block.readUInt32LE(block.length - 4)
  const end = block.length - 4 * (restarts + 1)
  const handles: Handle[] = []
  for (let at = 0; at < end; ) {
    const [, afterShared] = readVarint(block, at)
    const [keySize, afterKeySize] = readVarint(block, afterShared)
    const [valueSize, afterSizes] = readVarint(block, afterKeySize)
    const value = afterSizes + keySize
    handles.push(...readHandles(block.subarray(value, value + valueSize), 1))
    at = value + valueSize
  }
  return handles
}

function readHandles(bytes: Buffer, count: number): Handle[] {
  const handles: Handle[] = []
  for (let at = 0; handles.length < count; ) {
    const [offset, afterOffset] = readVarint(bytes, at)
    const [size, afterSize] = readVarint(bytes, afterOffset)
    handles.push({ offset, size })
    at = afterSize
  }
  return handles
}

/** Reads a number of seven bits per byte, the lowest first, and returns it with its end. */
function readVarint(bytes: Buffer, start: number): [number, number] {
  let value = 0
  for (let at = start, unit = 1; ; at++, unit *= 128) {
    // A number that is cut off ends there.
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * unit
    if (byte < 128) return [value, at + 1]
  }
}

/** The beginning of the totals in a record. */
const TOTALS = '{"commits":'

/**
 * Counts the commits that a log certainly contains. The totals are the last bytes of a commit: when
 * they are complete, so is the commit, and the engine must find as many.
 *
 * @returns `undefined` when a commit occurs twice, as in a log that was appended to itself. The engine
 * ends the process when it reads one.
 */
export function commitsInLog(log: Buffer): number | undefined {
  let commits = 0
  for (let at = log.indexOf(TOTALS); at >= 0; at = log.indexOf(TOTALS, at + 1)) {
    const totals = totalsAt(log, at)
    if (totals === undefined) continue
    if (totals.commits <= commits) return undefined
    commits = totals.commits
  }
  return commits
}

/** Reads totals; `undefined` when they are damaged, cut off, or something else, such as a RowKey of this form. */
function totalsAt(log: Buffer, at: number): Totals | undefined {
  const start = at - CHECKSUM_LENGTH
  const end = log.indexOf('}', at)
  // The key of the totals, and one byte for their length.
  if (log[start - 2] !== TOTALS_KEY.charCodeAt(0)) return undefined
  const sealed = log.toString('latin1', start, end + 1)
  const text = unsealText(TOTALS_KEY, sealed)
  return text === undefined ? undefined : parseTotals(text)
}

const POLYNOMIAL = 0x82f63b78

const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
  return rest
})

/** Computes the CRC-32C that the engine uses; that of `node:zlib` is a different one. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffff_ffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffff_ffff) >>> 0
}
