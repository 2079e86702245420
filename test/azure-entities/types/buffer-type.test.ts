import { isDeepStrictEqual } from 'node:util'
import Entity, { type BaseType } from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { chunk, roundTrip, serialized } from './stored-value.ts'

const { types } = Entity
const slugId = 'nvItOmAyRiOvSSWCAHkobQ'

describe('a type of bytes', () => {
  longTest('R-127: cuts values into chunks of 64 KiB, up to 256 KiB', () => {
    const type = new types.Blob('p')
    const bytes = Buffer.alloc(256 * 1024, 'x')
    const row = serialized(type, bytes)
    expect(row.__bufchunks_p).toBe(4)
    expect(Object.keys(row)).toHaveLength(9)
    expect(roundTrip(type, bytes)).toEqual(bytes)
    expect(() => serialized(type, Buffer.alloc(256 * 1024 + 1))).toThrow(
      expect.objectContaining({ code: 'PropertyTooLarge' }),
    )
  })

  const MOST = 256 * 1024
  const text = (length: number) => 'x'.repeat(length)
  const slugs = (count: number) => {
    const array = types.SlugIdArray.create()
    for (let added = 0; added < count; added++) array.push(slugId)
    return array
  }
  const Numbers = types.Schema({ type: 'array' })
  const EncryptedNumbers = types.EncryptedSchema({ type: 'array' })

  // JSON adds quotes and brackets; an encrypted value has 32 bytes of its own.
  it.each<[string, BaseType, unknown, unknown]>([
    ['Text', new types.Text('p'), text(MOST), text(MOST + 1)],
    [
      'Text, in bytes of UTF-8',
      new types.Text('p'),
      'é'.repeat(MOST / 2),
      `${'é'.repeat(MOST / 2)}x`,
    ],
    ['Blob', new types.Blob('p'), Buffer.alloc(MOST), Buffer.alloc(MOST + 1)],
    ['JSON', new types.JSON('p'), text(MOST - 2), text(MOST - 1)],
    ['Schema', new Numbers('p'), [text(MOST - 4)], [text(MOST - 3)]],
    ['SlugIdArray', new types.SlugIdArray('p'), slugs(MOST / 16), slugs(MOST / 16 + 1)],
    ['EncryptedText', new types.EncryptedText('p'), text(MOST - 32), text(MOST - 31)],
    [
      'EncryptedBlob',
      new types.EncryptedBlob('p'),
      Buffer.alloc(MOST - 32),
      Buffer.alloc(MOST - 31),
    ],
    ['EncryptedJSON', new types.EncryptedJSON('p'), text(MOST - 34), text(MOST - 33)],
    ['EncryptedSchema', new EncryptedNumbers('p'), [text(MOST - 36)], [text(MOST - 35)]],
  ])('R-127: %s holds up to 256 KiB as it is stored, and no byte more', (_, type, most, more) => {
    const row = serialized(type, most)
    const chunks = Object.entries(row).filter(([name]) => /^__buf\d+_p$/.test(name))
    const sizes = chunks.map(([, bytes]) => Buffer.from(String(bytes), 'base64').length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST)
    expect(isDeepStrictEqual(roundTrip(type, most), most)).toBe(true)
    expect(() => serialized(type, more)).toThrow(
      expect.objectContaining({ code: 'PropertyTooLarge' }),
    )
  })

  it('ignores chunks beyond the stored number, which a merge leaves behind', () => {
    expect(new types.Text('p').deserialize({ ...chunk('a'), __buf1_p: 'eHg=' })).toBe('a')
  })
})

describe('an encrypted type', () => {
  const schema = { type: 'object', required: ['a'] }
  it.each([
    ['EncryptedText', new types.EncryptedText('p'), 'secret'],
    ['EncryptedBlob', new types.EncryptedBlob('p'), Buffer.from('secret')],
    ['EncryptedJSON', new types.EncryptedJSON('p'), { a: ['secret'] }],
    ['EncryptedSchema', new (types.EncryptedSchema(schema))('p'), { a: 'secret' }],
  ])('R-126: %s stores an IV and AES-256-CBC', (_name, type, value) => {
    const one = serialized(type as BaseType, value)
    const other = serialized(type as BaseType, value)
    expect(one).not.toEqual(other)
    expect(Buffer.from(String(one.__buf0_p), 'base64').length % 16).toBe(0)
    expect(roundTrip(type as BaseType, value)).toEqual(value)
  })

  it('R-126: reads what azure-entities has encrypted', () => {
    const row = { __buf0_p: '+HqJql/AFykC590r8Fkxmhg/2tqsnCOX2eOfbuDKpx8=', __bufchunks_p: 1 }
    const key = Buffer.from('gRT3AtCOwtZOP4xI6ESB4vPC3unDXqKq8VolcnDISPE=', 'base64')
    expect(new types.EncryptedJSON('p').deserialize(row, key)).toBe(1234)
  })

  it('R-126: rejects another key', () => {
    const type = new types.EncryptedJSON('p')
    const row = serialized<unknown>(type, { a: 1 })
    expect(() => type.deserialize(row, Buffer.alloc(32, 8))).toThrow(
      expect.objectContaining({ code: 'DecryptionFailed' }),
    )
  })
})

describe('values', () => {
  it('of bytes cannot be compared in conditions', () => {
    expect(() => new types.Text('p').filterCondition({ operator: 'eq', operand: 'a' })).toThrow(
      expect.objectContaining({ code: 'InvalidCondition' }),
    )
  })
})
