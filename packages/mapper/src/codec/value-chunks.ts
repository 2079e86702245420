import type { EdmType, RawEntity } from '@rowkey/odata'
import { joinBytes } from '../encryption/join-bytes.ts'
import { conversionFailed } from '../errors/compose-errors.ts'
import { chunkNames, MAX_CHUNKS } from '../model/chunk-names.ts'
import { type Cuttable, cutValue, isFull } from './cut-value.ts'
import { memberJson } from './member-json.ts'
import { readMember } from './read-member.ts'
import { type StoredMember, storedMember } from './stored-member.ts'
import type { StoredValue } from './widen.ts'

/**
 * How the values of one property of one class are spread over several stored properties.
 *
 * The first is the property itself, so that a short value looks as it always did. Each is full but the
 * last, and reading goes on to the next one only from a full one: what a longer value left behind is
 * not read, though a merge cannot remove it.
 */
export class ValueChunks {
  /** The stored names after the first. */
  readonly further: readonly string[]
  readonly #members: readonly StoredMember[]
  readonly #label: string

  /**
   * @param name - the stored name of the property
   * @param label - `Class.member`, for messages
   */
  constructor(name: string, label: string) {
    this.#members = chunkNames(name).map(storedMember)
    this.#label = label
    this.further = this.#members.slice(1).map((member) => member.name)
  }

  /**
   * Writes the value as members of a JSON object, with a comma before each.
   *
   * @param stored - the value
   * @param raw - the row that the pieces go to, as far as it is known
   * @throws InputError (`ConversionFailed`) when no entity could hold it, or a piece would overwrite a property of
   * another type, which some other program must have stored
   */
  write({ type, value }: StoredValue, raw?: RawEntity): string {
    if (!isCuttable(value)) return this.#memberText(0, { type, value })
    const pieces = cutValue(value)
    if (raw !== undefined) this.#checkFree(pieces.length, type, raw)
    if (pieces.length > MAX_CHUNKS) {
      const problem = `it is ${value.length} ${typeof value === 'string' ? 'characters' : 'bytes'} long, and an entity holds 1 MiB at most. Store it elsewhere, and its address here.`
      throw conversionFailed({ property: this.#label, action: 'written', problem })
    }
    return pieces.map((piece, at) => this.#memberText(at, { type, value: piece })).join('')
  }

  /**
   * The whole value.
   *
   * @param first - what is stored under the property's own name
   * @throws InputError (`ConversionFailed`) when a part of it is missing
   */
  read(first: StoredValue, raw: RawEntity): StoredValue {
    const { type, value } = first
    if (!isCuttable(value) || !isFull(value)) return first
    const pieces: Cuttable[] = [value]
    for (const member of this.#members.slice(1)) {
      const piece = readMember(member, raw, this.#label)
      if (piece?.type !== type || !isCuttable(piece.value)) break
      pieces.push(piece.value)
      if (!isFull(piece.value)) return { type, value: joined(pieces) }
    }
    // A full property with none after it was written by a program that does not cut values.
    return pieces.length === 1 ? first : this.#refuse(pieces.length)
  }

  /**
   * Returns the stored names that belong to the value in a row: its pieces, and those that a longer value left
   * behind. The first property of another type was stored by another program, and ends the list.
   */
  namesIn(raw: RawEntity): readonly string[] {
    const [own, ...further] = this.#members as [StoredMember, ...StoredMember[]] // there are 16
    const first = readMember(own, raw, this.#label)
    const names = [own.name]
    for (const member of further) {
      if (first === undefined || readMember(member, raw, this.#label)?.type !== first.type) break
      names.push(member.name)
    }
    return names
  }

  #piecesIn(raw: RawEntity): readonly string[] {
    const first = readMember(this.#members[0] as StoredMember, raw, this.#label)
    if (first === undefined || !isCuttable(first.value) || !isFull(first.value)) return [this.#own]
    const names = [this.#own]
    for (const member of this.#members.slice(1)) {
      const piece = readMember(member, raw, this.#label)
      if (piece?.type !== first.type || !isCuttable(piece.value)) break
      names.push(member.name)
      if (!isFull(piece.value)) return names
    }
    return names.length === 1 ? names : []
  }

  /** Writes the value of a row as it is stored there, piece by piece. */
  asStored(raw: RawEntity): string {
    const names = new Set(this.#piecesIn(raw))
    const members = this.#members.filter(({ name }) => names.has(name))
    return members
      .map((member) => {
        const piece = readMember(member, raw, this.#label)
        return piece === undefined ? '' : memberJson(member.member, piece.type, piece.value)
      })
      .join('')
  }

  get #own(): string {
    return (this.#members[0] as StoredMember).name // there are 16
  }

  #checkFree(count: number, type: EdmType, raw: RawEntity): void {
    for (const member of this.#members.slice(1, count)) {
      const found = readMember(member, raw, this.#label)
      if (found === undefined || found.type === type) continue
      const problem = `its next piece belongs under '${member.name}', where the row holds a ${found.type} of another program. Store the value under another name, or make it shorter.`
      throw conversionFailed({ property: this.#label, action: 'written', problem })
    }
  }

  #memberText(at: number, { type, value }: StoredValue): string {
    const { member } = this.#members[at] as StoredMember // there are as many as pieces
    return memberJson(member, type, value)
  }

  #refuse(count: number): never {
    const name = this.further[Math.min(count, MAX_CHUNKS - 1) - 1]
    const problem = `it is stored in pieces, and the one after the ${count} first, '${name}', is missing: a program that does not know of it rewrote the entity.`
    throw conversionFailed({ property: this.#label, action: 'read', problem })
  }
}

function isCuttable(value: unknown): value is Cuttable {
  return typeof value === 'string' || value instanceof Uint8Array
}

/** Pieces of one type are of one kind. */
function joined(pieces: readonly Cuttable[]): Cuttable {
  const bytes = pieces.filter((piece) => typeof piece !== 'string')
  return bytes.length === 0 ? pieces.join('') : joinBytes(...bytes)
}
