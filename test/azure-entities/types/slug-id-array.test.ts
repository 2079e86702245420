import Entity from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'

const newId = (index: number): string => {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(index)
  bytes[6] = 0x40
  bytes[8] = 0x80
  return bytes.toString('base64url')
}
const arrayOf = (...ids: string[]) => {
  const array = Entity.types.SlugIdArray.create()
  for (const id of ids) array.push(id)
  return array
}
const ids = Array.from({ length: 1_000 }, (_, index) => newId(index))
const [a = '', b = '', c = ''] = ids

describe('a SlugIdArray', () => {
  it('R-125: keeps a thousand ids in their order', () => {
    const array = arrayOf(...ids)
    expect(array.toArray()).toEqual(ids)
    expect(array.length).toBe(1_000)
    expect(array.indexOf(ids[999] ?? '')).toBe(999)
    expect(array.getBufferView()).toHaveLength(16_000)
  })

  it('R-125: removes ids at both ends and in between', () => {
    const array = arrayOf(a, b, c)
    expect(array.shift()).toBe(a)
    expect(array.pop()).toBe(c)
    expect([array.length, array.avail]).toEqual([1, 31])
    expect(array.remove(b)).toBe(true)
    expect(array.remove(b)).toBe(false)
    expect(array.pop()).toBeUndefined()
    expect(array.shift()).toBeUndefined()
    expect([array.length, array.avail]).toEqual([0, 32])
  })

  it('R-125: slices as an array does', () => {
    expect(arrayOf(a, b, c).slice(1, 3)).toEqual([b, c])
    expect(arrayOf(a, b, c).slice(-3, -1)).toEqual([a, b])
  })

  it('is not equal to a value of another kind', () => {
    expect(arrayOf(a).equals(undefined as never)).toBe(false)
  })

  it('R-125: compares and copies its ids', () => {
    const array = arrayOf(a, b)
    const copy = array.clone()
    expect(copy.equals(array)).toBe(true)
    copy.push(c)
    expect(copy.equals(array)).toBe(false)
    expect([array.includes(c), copy.includes(c)]).toEqual([false, true])
  })

  it('takes the slugid of any UUID, in both alphabets of base64', () => {
    const first = '00000000-0000-1000-0000-00000000000f'
    const slug = Buffer.from(first.replaceAll('-', ''), 'hex').toString('base64url')
    const array = arrayOf(slug, '-_-_AAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAA==')
    expect(array.toArray()).toEqual([slug, '-_-_AAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAA'])
    expect(array.indexOf('+/+/AAAAAAAAAAAAAAAAAA')).toBe(1)
  })

  it('rejects other texts', () => {
    expect(() => arrayOf('f47ac10b-58cc-4372-a567-0e02b2c3d479')).toThrow(
      expect.objectContaining({ code: 'InvalidValue' }),
    )
  })

  it('R-125: is a property of up to 16,384 ids', () => {
    const type = new Entity.types.SlugIdArray('p')
    const array = arrayOf(a, b)
    const row = {}
    type.serialize(row, array)
    expect(row).toMatchObject({ __bufchunks_p: 1 })
    expect(type.deserialize(row).toArray()).toEqual([a, b])
    const many = Entity.types.SlugIdArray.create()
    for (let index = 0; index < 16_384; index += 1) many.push(newId(index))
    expect(() => type.serialize({}, many)).not.toThrow()
    many.push(a)
    expect(() => type.serialize({}, many)).toThrow(
      expect.objectContaining({ code: 'PropertyTooLarge' }),
    )
  })
})
