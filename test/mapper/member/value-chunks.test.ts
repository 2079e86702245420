import { parseEntityObject } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readMember,
  type StoredValue,
  storedMember,
  storedNames,
} from '../../../packages/mapper/src/member/stored-member.ts'
import { cutValue, isFull, ValueChunks } from '../../../packages/mapper/src/member/value-chunks.ts'

const chunks = new ValueChunks('notes', 'Person.notes')
const stored = (value: StoredValue) => parseEntityObject(`{${chunks.write(value).slice(1)}}`)
const text = (length: number): StoredValue => ({ type: 'String', value: 'x'.repeat(length) })

function read(raw: Record<string, unknown>): StoredValue | undefined {
  const first = readMember(storedMember('notes'), raw, 'Person.notes')
  return first && chunks.read(first, raw)
}

describe('ValueChunks', () => {
  it('R-127: stores a short value in one property, and a long one in several', () => {
    expect(stored(text(3))).toEqual({ notes: 'xxx' })
    expect(Object.keys(stored(text(70_000)))).toEqual(['notes', 'notes_2', 'notes_3'])
    const bytes = { type: 'Binary', value: new Uint8Array(65_537) } as const
    expect(stored(bytes)).toMatchObject({
      'notes@odata.type': 'Edm.Binary',
      'notes_2@odata.type': 'Edm.Binary',
      notes_2: 'AA==',
    })
  })

  it.each([0, 1, 32_766, 32_767, 32_768, 32_769, 65_536, 500_000])(
    'reads %i characters',
    (length) => {
      expect(read(stored(text(length)))).toEqual(text(length))
    },
  )

  it.each([65_535, 65_536, 200_000])('reads %i bytes', (length) => {
    const bytes = new Uint8Array(length).fill(7)
    const { type, value } = read(stored({ type: 'Binary', value: bytes })) ?? {}
    expect(type).toBe('Binary')
    // A comparison by toEqual takes a second.
    expect(Buffer.compare(value as Uint8Array, bytes)).toBe(0)
  })

  it.each([3, 32_767, 40_000])(
    'never reads the pieces that a longer value left behind: %i',
    (length) => {
      const left = stored(text(100_000))
      expect(read({ ...left, ...stored(text(length)) })).toEqual(text(length))
    },
  )

  it('reads a full property without a further one as the whole value', () => {
    expect(read({ notes: 'x'.repeat(32_768) })).toEqual(text(32_768))
    expect(read({ notes: 'x'.repeat(32_768), notes_2: 5 })).toEqual(text(32_768))
  })

  it('ignores a value that is neither text nor bytes', () => {
    expect(read(stored({ type: 'Int32', value: 3 }))).toEqual({ type: 'Int32', value: 3 })
  })

  it('rejects a value with a missing piece', () => {
    const { notes_3: _, ...torn } = stored(text(90_000))
    expect(() => read(torn)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ConversionFailed' }),
    )
    expect(() => read(torn)).toThrow(/^Person\.notes cannot be read: .*'notes_3', is missing/)
    const full = Object.fromEntries(
      Object.keys(stored(text(500_000))).map((name) => [name, 'x'.repeat(32_768)]),
    )
    expect(() => read(full)).toThrow(/'notes_16', is missing/)
  })

  it('rejects a value that no entity could hold', () => {
    expect(() => chunks.write(text(600_000))).toThrow(
      /^Person\.notes cannot be written: its length is 600000, /,
    )
  })
})

/** One unit for an `a`, two for a face. */
const texts = fc
  .tuple(fc.integer({ min: 32_760, max: 32_770 }), fc.integer({ min: 0, max: 40_000 }))
  .map(([units, faces]) => 'a'.repeat(units) + '😀'.repeat(faces))

describe('cutValue', () => {
  it('leaves a short value whole', () => {
    expect(cutValue('')).toEqual([''])
    expect(cutValue('x'.repeat(32_766))).toHaveLength(1)
    expect(cutValue(new Uint8Array(65_535))).toHaveLength(1)
  })

  it('ends with a piece that is not full, though it be empty', () => {
    expect(cutValue('x'.repeat(32_768))).toEqual(['x'.repeat(32_768), ''])
    expect(cutValue(new Uint8Array(65_536)).map(({ length }) => length)).toEqual([65_536, 0])
  })

  it('cuts text into full pieces, never a character, and loses nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = cutValue(text).map(String)
        expect(pieces.join('') === text).toBe(true)
        expect(pieces.map(isFull)).toEqual(pieces.map((_, at) => at < pieces.length - 1))
        expect(
          pieces.every((piece) => piece.length <= 32_768 && !/[\ud800-\udbff]$/.test(piece)),
        ).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('cuts bytes that lie within a larger buffer', () => {
    const bytes = new Uint8Array(200_000).map((_, at) => at).subarray(7, 150_000)
    const pieces = cutValue(bytes) as readonly Uint8Array[] // as what was cut
    expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 149_993 - 2 * 65_536])
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })
})

describe('storedNames', () => {
  it('is the name of a column', () => {
    expect(storedNames({ name: 'notes' })).toEqual(['notes'])
  })

  it('counts from 2 for a column that is stored in pieces', () => {
    const names = storedNames({ name: 'notes', chunked: true })
    expect(names.slice(0, 3)).toEqual(['notes', 'notes_2', 'notes_3'])
    expect(names).toHaveLength(16)
    expect(names.at(-1)).toBe('notes_16')
  })
})
