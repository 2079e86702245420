/** Pieces one after another. */
export function joinBytes(...pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/**
 * A piece with its length before it, as four bytes, the highest first: two pieces in a row can then
 * be read in one way only.
 */
export function withLength(piece: Uint8Array): Uint8Array {
  return joinBytes(fourBytes(piece.length), piece)
}

/** A whole number from 0 to 2^32 - 1 as four bytes, the highest first. */
export function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}
