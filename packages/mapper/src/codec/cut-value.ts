/** The most UTF-16 units of one String property, and the most bytes of one Binary property. */
const MAX_TEXT = 32_768
const MAX_BYTES = 65_536

/** A value that can be cut. */
export type Cuttable = string | Uint8Array

/**
 * Cuts a value into pieces that fit one property each. All pieces but the last are full. The last is
 * never full and may be empty. Most values are one piece: the value itself.
 */
export function cutValue(value: Cuttable): readonly Cuttable[] {
  const pieces: Cuttable[] = []
  for (let rest = value; ; ) {
    const end = typeof rest === 'string' ? endOfText(rest) : MAX_BYTES
    const piece = part(rest, 0, end)
    pieces.push(piece)
    if (!isFull(piece)) return pieces
    rest = part(rest, end, rest.length)
  }
}

/** Whether a piece is full, so that another one follows. */
export function isFull(piece: Cuttable): boolean {
  return piece.length >= (typeof piece === 'string' ? MAX_TEXT - 1 : MAX_BYTES)
}

function part(value: Cuttable, from: number, to: number): Cuttable {
  return typeof value === 'string' ? value.slice(from, to) : value.subarray(from, to)
}

/** A surrogate pair is never cut, because half of one cannot be sent. */
function endOfText(text: string): number {
  const last = text.charCodeAt(MAX_TEXT - 1)
  return last >= 0xd800 && last <= 0xdbff ? MAX_TEXT - 1 : MAX_TEXT
}
