import type { RawEntity } from '@rowkey/odata'
import { memberJson } from '../codec/member-json.ts'
import { readMember } from '../codec/read-member.ts'
import { type StoredMember, storedMember } from '../codec/stored-member.ts'
import type { StoredValue } from '../codec/widen.ts'
import { joinBytes } from '../encryption/join-bytes.ts'
import { ConversionError } from '../errors/conversion-error.ts'
import { chunkNames, MAX_CHUNKS } from './chunk-names.ts'
import { type Cuttable, cutValue, isFull } from './cut-value.ts'

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
   * The value as members of a JSON object, with a comma before each.
   *
   * @throws {@link ConversionError} when no entity could hold it
   */
  write({ type, value }: StoredValue): string {
    if (!isCuttable(value)) return this.#memberText(0, { type, value })
    const pieces = cutValue(value)
    if (pieces.length > MAX_CHUNKS) {
      const problem = `it is ${value.length} ${typeof value === 'string' ? 'characters' : 'bytes'} long, and an entity holds 1 MiB at most. Store it elsewhere, and its address here.`
      throw new ConversionError({ property: this.#label, action: 'written', problem })
    }
    return pieces.map((piece, at) => this.#memberText(at, { type, value: piece })).join('')
  }

  /**
   * The whole value.
   *
   * @param first - what is stored under the property's own name
   * @throws {@link ConversionError} when a part of it is missing
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

  #memberText(at: number, { type, value }: StoredValue): string {
    const { member } = this.#members[at] as StoredMember // there are as many as pieces
    return memberJson(member, type, value)
  }

  #refuse(count: number): never {
    const name = this.further[Math.min(count, MAX_CHUNKS - 1) - 1]
    const problem = `it is stored in pieces, and the one after the ${count} first, '${name}', is missing: a program that does not know of it rewrote the entity.`
    throw new ConversionError({ property: this.#label, action: 'read', problem })
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
