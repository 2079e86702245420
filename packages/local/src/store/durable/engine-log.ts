import { crc32c } from './crc32c.ts'
import { TOTALS_KEY } from './record-key.ts'
import { CHECKSUM_LENGTH, unsealText } from './sealed-text.ts'
import { parseTotals } from './totals.ts'

const BLOCK_SIZE = 32_768
/** Checksum, length and kind of a piece. */
const HEADER_SIZE = 7
/** Sequence number and count of a batch. */
const BATCH_HEADER_SIZE = 12
const MASK = 0xa282ead8
const KIND = { whole: 1, first: 2, middle: 3, last: 4 } as const

/** How the totals begin in the text of their record. */
const TOTALS = '{"commits":'

/**
 * Tells whether a log of LevelDB writes each sequence number once, in ascending order. The engine
 * ends the process when it reads one twice, as in a log that was appended to itself. What the engine
 * leaves out of a log is left out here too: it reports that by itself.
 *
 * @see https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
export function isAscending(log: Buffer): boolean {
  let next = 0n
  for (const batch of batchesIn(log)) {
    if (batch.length < BATCH_HEADER_SIZE) continue
    const sequence = batch.readBigUInt64LE(0)
    if (sequence < next) return false
    next = sequence + BigInt(batch.readUInt32LE(8))
  }
  return true
}

/**
 * Counts the commits that a log shows for certain. The totals are the last bytes of a commit: where
 * they are whole, the whole commit is, and the engine must come to the same number.
 */
export function commitsInLog(log: Buffer): number {
  for (let at = log.lastIndexOf(TOTALS); at >= CHECKSUM_LENGTH; ) {
    const end = log.indexOf('}', at)
    if (end > 0) {
      const text = unsealText(TOTALS_KEY, log.toString('latin1', at - CHECKSUM_LENGTH, end + 1))
      if (text !== undefined) return parseTotals(text).commits
    }
    at = log.lastIndexOf(TOTALS, at - 1)
  }
  return 0
}

/** Puts the batches of a log together from their pieces. */
function* batchesIn(log: Buffer): Generator<Buffer> {
  let begun: Buffer[] | undefined
  for (const { kind, bytes } of piecesIn(log)) {
    if (kind === KIND.whole) yield bytes
    if (kind === KIND.first) begun = [bytes]
    else if (kind === KIND.whole || begun === undefined) begun = undefined
    else begun.push(bytes)
    if (kind === KIND.last && begun !== undefined) {
      yield Buffer.concat(begun)
      begun = undefined
    }
  }
}

interface Piece {
  readonly kind: number
  readonly bytes: Buffer
}

/** Reads the pieces of each block. The engine leaves out what follows on a damaged one in its block. */
function* piecesIn(log: Buffer): Generator<Piece> {
  for (let start = 0; start < log.length; start += BLOCK_SIZE) {
    const block = log.subarray(start, start + BLOCK_SIZE)
    for (let at = 0; at + HEADER_SIZE <= block.length; ) {
      const end = at + HEADER_SIZE + block.readUInt16LE(at + 4)
      if (end > block.length || !isPieceWhole(block, at, end)) break
      yield { kind: block[at + 6] ?? 0, bytes: block.subarray(at + HEADER_SIZE, end) }
      at = end
    }
  }
}

function isPieceWhole(block: Buffer, at: number, end: number): boolean {
  const crc = crc32c(block.subarray(at + 6, end))
  return (((crc >>> 15) | (crc << 17)) + MASK) >>> 0 === block.readUInt32LE(at)
}
