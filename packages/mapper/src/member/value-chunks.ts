import type { EdmType, EdmValue, RawEntity } from '@rowkey/odata'
import { joinBytes } from '../encryption/join-bytes.ts'
import { conversionFailed } from '../errors/compose-errors.ts'
import {
  MAX_CHUNKS,
  memberJson,
  readMember,
  type StoredMember,
  type StoredValue,
  storedMember,
  storedNames,
} from './stored-member.ts'

/**
 * Spreads the values of one property over several stored properties.
 *
 * The first is the property itself, so a short value is stored as usual. All but the last are full, and
 * reading continues only after a full one. So it ignores what a longer value left behind, which a merge
 * cannot remove.
 */
export class ValueChunks {
  /** The stored names after the first. */
  readonly further: readonly string[]
  readonly #members: readonly StoredMember[]
  readonly #label: string
  readonly #keys: object | undefined

  /**
   * @param name - the stored name of the property
   * @param label - `Class.member`, for messages
   * @param keys - present when the value is encrypted; it may replace text in the clear
   */
  constructor(name: string, label: string, keys?: object) {
    this.#members = storedNames({ name, chunked: true }).map(storedMember)
    this.#label = label
    this.#keys = keys
    this.further = this.#members.slice(1).map((member) => member.name)
  }

  /**
   * Writes the value as members of a JSON object, with a comma before each.
   *
   * @param stored - the value
   * @param raw - the current row, as far as it is known
   * @throws InputError (`ConversionFailed`) when the value is too long for an entity, or when a piece
   * would overwrite a property of another type, which another program stored
   */
  write({ type, value }: StoredValue, raw?: RawEntity): string {
    if (!isCuttable(value)) return this.#memberText(0, { type, value })
    const pieces = cutValue(value)
    if (raw !== undefined) this.#checkFree(pieces.length, type, raw)
    if (pieces.length > MAX_CHUNKS) {
      const problem = `its length is ${value.length}, but an entity can hold at most 1 MiB. Store it elsewhere, and its address here.`
      throw conversionFailed({ property: this.#label, action: 'written', problem })
    }
    return pieces.map((piece, at) => this.#memberText(at, { type, value: piece })).join('')
  }

  /**
   * Reads the whole value.
   *
   * @param first - the value under the property's own name
   * @throws InputError (`ConversionFailed`) when a part of it is missing
   */
  read(first: StoredValue, raw: RawEntity): StoredValue {
    const pieces = this.#piecesIn(first, raw)
    // A program that does not cut values wrote a full property without another after it.
    if (pieces.length === 1) return first
    if (isFull(pieces.at(-1))) this.#refuse(pieces.length)
    return { type: first.type, value: joined(pieces.filter(isCuttable)) }
  }

  /**
   * Returns the stored names that belong to the value in a row: its pieces, and the rest of an earlier,
   * longer value. A property of another type belongs to another program and ends the list, unless it was in the clear.
   */
  namesIn(raw: RawEntity): readonly string[] {
    const names: string[] = []
    let first: EdmType | undefined
    for (const member of this.#members) {
      const type = readMember(member, raw, this.#label)?.type
      first ??= type
      if (type === undefined || !this.#isPiece(type, first)) break
      names.push(member.name)
    }
    return names
  }

  /** Returns the pieces of the value: as long as they are full, the next one follows. */
  #piecesIn({ type, value }: StoredValue, raw: RawEntity): readonly EdmValue[] {
    const pieces = [value]
    for (const member of this.#members.slice(1)) {
      if (!isFull(pieces.at(-1))) break
      const piece = readMember(member, raw, this.#label)
      if (piece?.type !== type) break
      pieces.push(piece.value)
    }
    return pieces
  }

  /** Copies the value of a row as it is stored, piece by piece, after it was read without a missing piece. */
  asStored(raw: RawEntity): string {
    const first = readMember(this.#members[0] as StoredMember, raw, this.#label) // there are 16
    if (first === undefined) return ''
    const pieces = this.#piecesIn(first, raw)
    return pieces.map((value, at) => this.#memberText(at, { type: first.type, value })).join('')
  }

  #checkFree(count: number, type: EdmType, raw: RawEntity): void {
    for (const member of this.#members.slice(1, count)) {
      const found = readMember(member, raw, this.#label)?.type
      if (found === undefined || this.#isPiece(found, type)) continue
      const problem = `its next piece needs the name '${member.name}', but the row has a ${found} of another program. Store the value under another name.`
      throw conversionFailed({ property: this.#label, action: 'written', problem })
    }
  }

  /** Before its first encryption, a text lies there in the clear. */
  #isPiece(found: EdmType, type: EdmType | undefined): boolean {
    return found === type || (this.#keys !== undefined && found === 'String')
  }

  #memberText(at: number, { type, value }: StoredValue): string {
    const { member } = this.#members[at] as StoredMember // there are as many as pieces
    return memberJson(member, type, value)
  }

  #refuse(count: number): never {
    const name = this.further[Math.min(count, MAX_CHUNKS - 1) - 1]
    const problem = `it is stored in pieces, and piece ${count + 1}, '${name}', is missing: another program rewrote the entity.`
    throw conversionFailed({ property: this.#label, action: 'read', problem })
  }
}

function isCuttable(value: unknown): value is Cuttable {
  return typeof value === 'string' || value instanceof Uint8Array
}

/** Joins pieces, which are all strings or all bytes. */
function joined(pieces: readonly Cuttable[]): Cuttable {
  const bytes = pieces.filter((piece) => typeof piece !== 'string')
  return bytes.length === 0 ? pieces.join('') : joinBytes(...bytes)
}

/** The most UTF-16 units of one String property, and the most bytes of one Binary property. */
const MAX_TEXT = 32_768
const MAX_BYTES = 65_536

/** A value that can be cut. */
type Cuttable = string | Uint8Array

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
export function isFull(piece: unknown): boolean {
  return isCuttable(piece) && piece.length >= (typeof piece === 'string' ? MAX_TEXT - 1 : MAX_BYTES)
}

function part(value: Cuttable, from: number, to: number): Cuttable {
  return typeof value === 'string' ? value.slice(from, to) : value.subarray(from, to)
}

/** A surrogate pair is never cut, because half of one cannot be sent. */
function endOfText(text: string): number {
  const last = text.charCodeAt(MAX_TEXT - 1)
  return last >= 0xd800 && last <= 0xdbff ? MAX_TEXT - 1 : MAX_TEXT
}
