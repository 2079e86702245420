/** A range of PartitionKeys. */
export interface KeyRange {
  /** The first PartitionKey; from the beginning when absent. */
  readonly from?: string
  /** The PartitionKey before which the range ends; to the end when absent. */
  readonly to?: string
}

/**
 * Finds the first PartitionKey of a table at or after a text.
 *
 * @param from - the text; from the beginning when absent
 * @returns `undefined` when there are no more rows
 */
export type Seek = (from: string | undefined) => Promise<string | undefined>

/** How many seeks may be made for each range. */
const SEEKS_PER_RANGE = 12

/**
 * Splits a table into ranges of PartitionKeys that can be read at once. The service has no statistics, so it looks for the first key
 * after texts that are spread over the key space. Ranges may differ much in size.
 *
 * @param seek - finds keys, by one request each
 * @param count - how many ranges to find at most
 * @returns ranges in order, which cover every possible key; fewer than `count` when there are few partitions
 */
export async function spreadRanges(seek: Seek, count: number): Promise<readonly KeyRange[]> {
  if (count < 2) return [{}]
  const first = await seek(undefined)
  if (first === undefined) return [{}]
  const borders: string[] = []
  const gaps: { readonly low: string; readonly high: string | undefined }[] = [
    { low: first, high: successor(await sharedStart(first, seek)) },
  ]
  for (let seeks = 0; borders.length < count - 1 && seeks < count * SEEKS_PER_RANGE; seeks++) {
    const gap = gaps.shift()
    if (gap === undefined) break
    const { low, high } = gap
    const middle = between(low, high)
    if (middle === undefined) continue
    const found = await seek(middle)
    // No key is at or after the middle: look before it.
    gaps.push({ low, high: middle })
    if (found === undefined || (high !== undefined && found >= high)) continue
    borders.push(found)
    gaps.push({ low: found, high })
  }
  borders.sort((one, other) => (one < other ? -1 : 1))
  return [undefined, ...borders].map((from, at) => {
    const to = borders[at]
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  })
}

/** Finds the beginning that all keys of a table share, given the first of them. */
async function sharedStart(first: string, seek: Seek): Promise<string> {
  let shared = 0
  let differing = first.length + 1
  while (differing - shared > 1) {
    const length = Math.floor((shared + differing) / 2)
    const after = successor(first.slice(0, length))
    const isShared = after !== undefined && (await seek(after)) === undefined
    if (isShared) shared = length
    else differing = length
  }
  return first.slice(0, shared)
}

/** Returns the first text after all texts that begin like this; `undefined` when all texts are before it. */
function successor(start: string): string | undefined {
  if (start === '') return undefined
  const unit = start.charCodeAt(start.length - 1)
  if (unit === 0xffff || isSecondHalf(unit)) return successor(start.slice(0, -1))
  return start.slice(0, -1) + String.fromCharCode(printable(unit + 1))
}

const BLANK = 0x20
const AFTER_ASCII = 0x7f

/** Returns a text between two others, near the middle if most units are ASCII; `undefined` when they are too close. */
function between(low: string, high: string | undefined): string | undefined {
  let isBounded = high !== undefined
  for (let at = 0; at <= low.length; at++) {
    const unit = at < low.length ? low.charCodeAt(at) : BLANK - 1
    const bound = isBounded
      ? (high?.charCodeAt(at) ?? 0)
      : unit < AFTER_ASCII
        ? AFTER_ASCII
        : 0x1_0000
    if (isBounded && bound === unit) continue
    const middle = printable(Math.ceil((unit + bound) / 2))
    if (middle > unit && middle < bound && !isSecondHalf(unit))
      return low.slice(0, at) + String.fromCharCode(middle)
    isBounded = false // texts after this unit are below the bound, whatever they are
  }
  return undefined
}

/** Whether a unit is the second half of a surrogate pair. What begins with the first half alone is not text. */
const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

/** Skips the units that no key has: controls and halves of surrogate pairs. */
function printable(unit: number): number {
  if (unit >= 0xd800 && unit < 0xe000) return 0xe000
  return unit >= AFTER_ASCII && unit < 0xa0 ? 0xa0 : unit
}
