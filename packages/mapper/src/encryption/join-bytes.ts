/** Joins pieces. */
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
 * Puts the length of a piece before it, as four bytes, highest first, so that a sequence of pieces can be
 * read in only one way.
 */
export function withLength(piece: Uint8Array): Uint8Array {
  return joinBytes(fourBytes(piece.length), piece)
}

/** Writes a whole number of 32 bits, signed or not, as four bytes, highest first. */
export function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}
