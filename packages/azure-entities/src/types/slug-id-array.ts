import { entitiesInputError } from '../errors/codes.ts'
import type { Content } from './content.ts'

const SLUG_ID = /^[\w-]{8}[Q-T][\w-][CGKOSWaeimquy26-][\w-]{10}[AQgw]$/
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Tells whether a text is a slugid: a random UUID (version 4) as 22 characters of base64 for URLs. */
export const isSlugId = (text: unknown): text is string =>
  typeof text === 'string' && SLUG_ID.test(text)

/** Tells whether a text is a UUID of any version. */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && GUID.test(text)

/** Returns the 16 bytes of a slugid. */
const bytesOfSlugId = (slugId: string): Buffer => Buffer.from(slugId, 'base64url')

/** Returns the slugid of 16 bytes. */
const slugIdOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')

/** Returns the UUID of a slugid, in lower case. */
export function uuidOfSlugId(slugId: string): string {
  const hex = bytesOfSlugId(slugId).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns the slugid of a UUID. */
export const slugIdOfUuid = (uuid: string): string =>
  Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')

const ID_BYTES = 16
const FIRST_CAPACITY = 32

/**
 * A list of slugids that takes 16 bytes for each: 16,384 fit into one property.
 *
 * @example
 * ```ts
 * const tasks = Entity.types.SlugIdArray.create()
 * tasks.push('nvItOmAyRiOvSSWCAHkobQ')
 * tasks.includes('nvItOmAyRiOvSSWCAHkobQ') // true
 * ```
 */
export class SlugIdArray {
  #bytes: Buffer
  #length: number

  /** @param bytes - 16 bytes for each id; empty when absent */
  constructor(bytes: Uint8Array = Buffer.alloc(0)) {
    this.#length = Math.floor(bytes.length / ID_BYTES)
    this.#bytes = Buffer.alloc(Math.max(FIRST_CAPACITY, this.#length) * ID_BYTES)
    this.#bytes.set(bytes.subarray(0, this.#length * ID_BYTES))
  }

  /** The number of ids. */
  get length(): number {
    return this.#length
  }

  /** How many more ids fit before the array takes more memory. */
  get avail(): number {
    return this.#bytes.length / ID_BYTES - this.#length
  }

  /** Returns the ids as an array. */
  toArray(): string[] {
    return Array.from({ length: this.#length }, (_, index) => this.#at(index))
  }

  /**
   * Adds an id at the end.
   *
   * @throws InputError (`InvalidValue`) for any other text
   */
  push(slugId: string): void {
    const bytes = checkedBytes(slugId)
    if (this.avail === 0)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)])
    this.#bytes.set(bytes, this.#length * ID_BYTES)
    this.#length += 1
  }

  /** Removes the last id and returns it; `undefined` when the array is empty. */
  pop(): string | undefined {
    return this.#removeAt(this.#length - 1)
  }

  /** Removes the first id and returns it; `undefined` when the array is empty. */
  shift(): string | undefined {
    return this.#removeAt(0)
  }

  /** Returns the position of an id, or -1. */
  indexOf(slugId: string): number {
    const bytes = checkedBytes(slugId)
    const found = this.#slots().findIndex((slot) => bytes.equals(slot))
    return found
  }

  /** Tells whether the array has an id. */
  includes(slugId: string): boolean {
    return this.indexOf(slugId) !== -1
  }

  /** Removes the first occurrence of an id, and returns whether it occurred. */
  remove(slugId: string): boolean {
    return this.#removeAt(this.indexOf(slugId)) !== undefined
  }

  /**
   * Returns some of the ids, as `Array.prototype.slice` does.
   *
   * @param begin - the first position; negative numbers count from the end
   * @param end - the position after the last one
   */
  slice(begin?: number, end?: number): string[] {
    return this.toArray().slice(begin, end)
  }

  /** Returns a copy. */
  clone(): SlugIdArray {
    return new SlugIdArray(this.getBufferView())
  }

  /** Tells whether another array has the same ids in the same order. */
  equals(other: SlugIdArray): boolean {
    return other instanceof SlugIdArray && this.getBufferView().equals(other.getBufferView())
  }

  /** Returns the bytes, 16 for each id. They change with the array. */
  getBufferView(): Buffer {
    return this.#bytes.subarray(0, this.#length * ID_BYTES)
  }

  #at(index: number): string {
    return slugIdOfBytes(this.#slot(index))
  }

  #slot(index: number): Buffer {
    return this.#bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES)
  }

  #slots(): Buffer[] {
    return Array.from({ length: this.#length }, (_, index) => this.#slot(index))
  }

  #removeAt(index: number): string | undefined {
    if (index < 0 || index >= this.#length) return undefined
    const removed = this.#at(index)
    this.#bytes.copyWithin(index * ID_BYTES, (index + 1) * ID_BYTES, this.#length * ID_BYTES)
    this.#length -= 1
    return removed
  }
}

/** 16 bytes in either alphabet of base64, with padding or without: any UUID, not only a random one. */
const PACKED_ID = /^[\w+/-]{22}(?:==)?$/

function checkedBytes(slugId: string): Buffer {
  if (typeof slugId === 'string' && PACKED_ID.test(slugId)) return bytesOfSlugId(slugId)
  throw entitiesInputError(
    'InvalidValue',
    'A SlugIdArray holds slugids such as nvItOmAyRiOvSSWCAHkobQ only: 22 characters of base64.',
  )
}

/** The content of a property that holds a {@link SlugIdArray}. */
export const slugIdArrayContent: Content<SlugIdArray> = {
  check(value, property) {
    if (value instanceof SlugIdArray) return
    throw entitiesInputError(
      'InvalidValue',
      `Property "${property}": expected a SlugIdArray. Make one with Entity.types.SlugIdArray.create().`,
      property,
    )
  },
  toBytes: (value) => value.getBufferView(),
  fromBytes: (bytes) => new SlugIdArray(bytes),
  hash: (value) => value.getBufferView(),
  equal: (one, other) => one instanceof SlugIdArray && one.equals(other),
  clone: (value) => (value instanceof SlugIdArray ? value.clone() : value),
}
