import { crc32c } from './crc32c.ts'

/** A block of a table file: where it begins, and its bytes without the trailer. */
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
 * Whether every block of one of LevelDB's table files carries the checksum it was written with. The
 * engine does not check them when it reads, and ends the process over some that are damaged.
 *
 * A file without its last bytes is one that was being written when the process ended: the engine
 * knows of none such, and refuses it otherwise.
 *
 * @see https://github.com/google/leveldb/blob/main/doc/table_format.md
 */
export function isTableFileWhole(file: Buffer): boolean {
  const footer = file.subarray(Math.max(0, file.length - FOOTER_SIZE))
  if (footer.length < FOOTER_SIZE || footer.readBigUInt64LE(FOOTER_SIZE - 8) !== MAGIC) return true
  const [metaindex, index] = readHandles(footer, 2)
  return [metaindex, index].every(
    (handle) =>
      handle !== undefined &&
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

/** The blocks that an index names. Its own checksum is right, so that its text can be relied on. */
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

/** A number in bytes of seven bits, the least first; and where it ends. */
function readVarint(bytes: Buffer, start: number): [number, number] {
  let value = 0
  for (let at = start, unit = 1; at < bytes.length; at++, unit *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * unit
    if (byte < 128) return [value, at + 1]
  }
  return [Number.POSITIVE_INFINITY, bytes.length]
}
