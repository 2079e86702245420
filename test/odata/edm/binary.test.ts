import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const { Binary } = edmCodecs
const write = (given: unknown) => Binary.writeJson(Binary.accept(given, 'p'))

describe('Binary', () => {
  it('accepts a view that begins within its buffer', () => {
    const buffer = Uint8Array.of(9, 1, 2, 9).buffer
    expect(write(new Uint8Array(buffer, 1, 2))).toBe('"AQI="')
    expect(write(new DataView(buffer, 1, 2))).toBe('"AQI="')
  })

  it('accepts an ArrayBuffer', () => {
    expect(write(Uint8Array.of(1, 2).buffer)).toBe('"AQI="')
    expect(write(new ArrayBuffer(0))).toBe('""')
  })

  it('accepts a SharedArrayBuffer and a view of it', () => {
    const shared = new SharedArrayBuffer(3)
    new Uint8Array(shared).set([7, 1, 2])
    expect(write(shared)).toBe('"BwEC"')
    expect(write(new Uint8Array(shared, 1))).toBe('"AQI="')
  })

  it("accepts a Buffer of Node's pool", () => {
    expect(write(Buffer.from([1, 2]))).toBe('"AQI="')
  })

  it('accepts any number of bytes; the request checks the limit', () => {
    expect(Binary.accept(new Uint8Array(65_537), 'p')).toHaveLength(65_537)
  })

  it('reads bytes into a buffer of their own', () => {
    const bytes = Binary.readJson('AQI=', 'p')
    expect(bytes.constructor).toBe(Uint8Array)
    expect(bytes.buffer.byteLength).toBe(2)
  })

  it('compares unsigned bytes one by one, and sorts a prefix first', () => {
    const compare = (a: readonly number[], b: readonly number[]) =>
      Math.sign(Binary.compare(Uint8Array.from(a), Uint8Array.from(b)))
    expect(compare([1, 2], [1, 2])).toBe(0)
    expect(compare([0x7f], [0x80])).toBe(-1)
    expect(compare([1, 2], [1])).toBe(1)
    expect(compare([], [0])).toBe(-1)
    expect(compare([2], [1, 255])).toBe(1)
  })
})
