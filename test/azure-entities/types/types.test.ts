import { isDeepStrictEqual } from 'node:util'
import Entity, { type BaseType, type Row } from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { embeddedTables } from '../tables.ts'

const { types } = Entity
const cryptoKey = Buffer.alloc(32, 7)

function serialized<Value>(type: BaseType<Value>, value: Value): Row {
  const row: Row = {}
  type.serialize(row, value, cryptoKey)
  return row
}

function roundTrip<Value>(type: BaseType<Value>, value: Value): Value {
  return type.deserialize(JSON.parse(JSON.stringify(serialized(type, value))), cryptoKey)
}

/** A value that contains itself, which JSON cannot hold. */
function ring(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

const chunk = (text: string) => ({
  '__buf0_p@odata.type': 'Edm.Binary',
  __buf0_p: Buffer.from(text).toString('base64'),
  __bufchunks_p: 1,
})

const uuid = 'F47AC10B-58CC-4372-A567-0E02B2C3D479'
const slugId = 'nvItOmAyRiOvSSWCAHkobQ'

/** The rows of azure-entities 5.5.6. */
const stored: readonly [string, BaseType, unknown, Row][] = [
  ['String', new types.String('p'), 'aé', { p: 'aé' }],
  ['Boolean', new types.Boolean('p'), false, { p: false }],
  ['Number', new types.Number('p'), 42.5, { p: 42.5 }],
  ['Number', new types.Number('p'), 2 ** 31 - 1, { p: 2_147_483_647 }],
  ['Number', new types.Number('p'), 2 ** 31, { p: '2147483648', 'p@odata.type': 'Edm.Int64' }],
  ['Number', new types.Number('p'), -(2 ** 31), { p: '-2147483648', 'p@odata.type': 'Edm.Int64' }],
  [
    'Number',
    new types.Number('p'),
    18_014_398_509_487_792,
    { p: '18014398509487790', 'p@odata.type': 'Edm.Int64' },
  ],
  ['Number', new types.Number('p'), 1e300, { p: 1e300, 'p@odata.type': 'Edm.Double' }],
  ['PositiveInteger', new types.PositiveInteger('p'), 7, { p: 7 }],
  [
    'Date',
    new types.Date('p'),
    new Date(0),
    { p: '1970-01-01T00:00:00.000Z', 'p@odata.type': 'Edm.DateTime' },
  ],
  ['UUID', new types.UUID('p'), uuid, { p: uuid, 'p@odata.type': 'Edm.Guid' }],
  [
    'SlugId',
    new types.SlugId('p'),
    slugId,
    { p: '9ef22d3a-6032-4623-af49-25820079286d', 'p@odata.type': 'Edm.Guid' },
  ],
  ['Blob', new types.Blob('p'), Buffer.from('ab'), chunk('ab')],
  ['Text', new types.Text('p'), 'té', chunk('té')],
  ['Text', new types.Text('p'), '', { __bufchunks_p: 0 }],
  ['JSON', new types.JSON('p'), { b: [1], a: null }, chunk('{"b":[1],"a":null}')],
  ['JSON', new types.JSON('p'), null, chunk('null')],
  ['Schema', new (types.Schema({ type: 'object' }))('p'), { a: 1 }, chunk('{"a":1}')],
]

describe('a property type', () => {
  it.each(stored)('R-125: %s is stored as azure-entities stores it', (_name, type, value, row) => {
    expect(serialized(type, value)).toEqual(row)
    expect(roundTrip(type, value)).toEqual(value)
  })

  it.each([
    ['String', new types.String('p'), 5],
    ['Boolean', new types.Boolean('p'), 'true'],
    ['Number', new types.Number('p'), Number.NaN],
    ['Number', new types.Number('p'), '5'],
    ['PositiveInteger', new types.PositiveInteger('p'), 1.5],
    ['PositiveInteger', new types.PositiveInteger('p'), -1],
    ['PositiveInteger', new types.PositiveInteger('p'), 2 ** 32 + 1],
    ['Date', new types.Date('p'), new Date(Number.NaN)],
    ['Date', new types.Date('p'), '2020-01-01'],
    ['UUID', new types.UUID('p'), 'nope'],
    ['UUID', new types.UUID('p'), `0${uuid}`],
    ['UUID', new types.UUID('p'), `${uuid}0`],
    ['SlugId', new types.SlugId('p'), '______________________'],
    ['Blob', new types.Blob('p'), 'text'],
    ['Text', new types.Text('p'), 5],
    ['JSON', new types.JSON('p'), undefined],
    ['JSON', new types.JSON('p'), () => {}],
    ['String', new types.String('p'), 'a\ud800'],
    ['Text', new types.Text('p'), 'a\ud800'],
    ['EncryptedText', new types.EncryptedText('p'), 'a\ud800'],
    ['Date', new types.Date('p'), new Date(Date.UTC(1600, 11, 31))],
    ['Date', new types.Date('p'), new Date(Date.UTC(10_000, 0))],
    ['JSON', new types.JSON('p'), Number.NaN],
    ['JSON', new types.JSON('p'), { big: 1n }],
    ['JSON', new types.JSON('p'), ring()],
    ['JSON', new types.JSON('p'), { toJSON: () => undefined }],
    ['Schema', new (types.Schema({ type: 'object' }))('p'), new Date(0)],
    ['SlugIdArray', new types.SlugIdArray('p'), [slugId]],
  ])('%s rejects other values and names the property', (_name, type, value) => {
    expect(() => serialized(type as BaseType, value)).toThrow(
      expect.objectContaining({ code: 'InvalidValue', details: { property: 'p' } }),
    )
  })

  it.each([
    ['String', new types.String('p'), 5, '5'],
    ['Number', new types.Number('p'), 'secret', 'a value of type string'],
    ['Date', new types.Date('p'), null, 'null'],
    ['Date', new types.Date('p'), new Date(Number.NaN), 'an invalid date'],
    ['Text', new types.Text('p'), 5, '5'],
    ['Text', new types.Text('p'), null, 'null'],
    ['Blob', new types.Blob('p'), 'secret', 'a value of type string'],
  ])('%s says what it got, but not a text: %o', (_name, type, value, found) => {
    expect(() => serialized(type as BaseType, value)).toThrow(new RegExp(`, got ${found}\\.$`))
  })

  it.each([
    ['String', new types.String('p'), {}],
    ['Number', new types.Number('p'), { p: 'five' }],
    ['Date', new types.Date('p'), { p: 'today' }],
    ['SlugId', new types.SlugId('p'), { p: 5 }],
    ['Blob', new types.Blob('p'), {}],
    ['Blob', new types.Blob('p'), { __bufchunks_p: 1 }],
    ['Blob', new types.Blob('p'), { __bufchunks_p: 1e10 }],
    ['Blob', new types.Blob('p'), { __bufchunks_p: -1 }],
    ['JSON', new types.JSON('p'), chunk('{')],
  ])('%s rejects a stored value that does not fit', (_name, type, row) => {
    expect(() => (type as BaseType).deserialize(row)).toThrow(
      expect.objectContaining({ code: 'UnreadableProperty', details: { property: 'p' } }),
    )
  })

  it('cuts the digits of a stored date below a millisecond', () => {
    const date = new types.Date('p').deserialize({ p: '2020-01-01T00:00:00.1234567Z' })
    expect(date.toJSON()).toBe('2020-01-01T00:00:00.123Z')
  })

  it('can be a class of the program', () => {
    class Upper extends types.String {
      override deserialize(row: Row): string {
        return super.deserialize(row).toUpperCase()
      }
    }
    expect(roundTrip(new Upper('p'), 'abc')).toBe('ABC')
  })
})

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

  it('R-127: String holds 32,768 UTF-16 units', () => {
    const type = new types.String('p')
    expect(roundTrip(type, 'x'.repeat(32_768))).toHaveLength(32_768)
    expect(() => serialized(type, 'x'.repeat(32_769))).toThrow(
      expect.objectContaining({ code: 'PropertyTooLarge' }),
    )
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

  longTest('R-127: holds 32 bytes less than 256 KiB', () => {
    const type = new types.EncryptedBlob('p')
    const bytes = Buffer.alloc(256 * 1024 - 32, 'x')
    expect(roundTrip(type, bytes)).toEqual(bytes)
    expect(() => serialized(type, Buffer.alloc(256 * 1024 - 31))).toThrow(
      expect.objectContaining({ code: 'PropertyTooLarge' }),
    )
  })
})

describe('a JSON Schema', () => {
  const type = new (types.Schema({
    type: 'object',
    properties: { text: { type: 'string' }, number: { type: 'integer', default: 4 } },
    additionalProperties: false,
    required: ['text'],
  }))('p')

  it('R-125: adds defaults when a value is written', () => {
    const value = { text: 'a' }
    expect(roundTrip(type, value)).toEqual({ text: 'a', number: 4 })
    expect(value).toEqual({ text: 'a', number: 4 })
  })

  it.each([{ text: 5 }, {}, { text: 'a', number: 1.5 }, { text: 'a', other: 1 }])(
    'R-125: rejects %o',
    (value) => {
      expect(() => serialized(type, value)).toThrow(/schema validation failed/)
    },
  )

  it('is checked by configure', () => {
    expect(() => types.Schema({ type: 'nothing' })).toThrow(
      expect.objectContaining({ code: 'InvalidConfiguration' }),
    )
  })
})

describe('values', () => {
  it('are equal when they mean the same', () => {
    expect(new types.Date('p').equal(new Date(5), new Date(5))).toBe(true)
    expect(new types.UUID('p').equal(uuid, uuid.toLowerCase())).toBe(true)
    expect(new types.Blob('p').equal(Buffer.from('a'), Buffer.from('a'))).toBe(true)
    expect(new types.JSON('p').equal({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(new types.JSON('p').equal([1, 2], [2, 1])).toBe(false)
  })

  it('are copied: a change of the copy of a Date leaves the Date', () => {
    const date = new Date(5)
    new types.Date('p').clone(date).setTime(7)
    expect(date).toEqual(new Date(5))
  })

  it('of bytes cannot be compared in conditions', () => {
    expect(() => new types.Text('p').filterCondition({ operator: 'eq', operand: 'a' })).toThrow(
      expect.objectContaining({ code: 'InvalidCondition' }),
    )
  })
})

describe('a type of a program', () => {
  class Tags extends types.BaseType<string[]> {
    override serialize(target: Row, value: string[]): void {
      target[this.property] = value.join()
    }
    override deserialize(source: Row): string[] {
      return String(source[this.property]).split(',')
    }
  }
  class Even extends types.BaseValueType<number> {
    override validate(value: unknown): asserts value is number {
      if (Number(value) % 2 !== 0) throw new RangeError(`${String(value)} is odd`)
    }
  }
  class Count extends types.BaseBufferType<number> {
    override toBuffer(value: number): Buffer {
      return Buffer.from(String(value))
    }
    override fromBuffer(buffer: Buffer): number {
      return Number(buffer.toString())
    }
  }

  it('R-125: needs only the methods that it needs in azure-entities', async () => {
    const { service } = embeddedTables()
    const Items = Entity.configure({
      version: 1,
      partitionKey: Entity.keys.StringKey('id'),
      rowKey: Entity.keys.ConstantKey('item'),
      properties: { id: types.String, tags: Tags, even: Even, count: Count },
    }).setup({ tableName: 'items', service })
    await Items.ensureTable()
    const item = await Items.create({ id: 'a', tags: ['x'], even: 2, count: 5 })
    await item.modify((draft) => {
      draft.tags.push('y')
      draft.even = 4
      draft.count += 1
    })
    expect(await Items.load({ id: 'a' })).toMatchObject({ tags: ['x', 'y'], even: 4, count: 6 })
    const etag = item._etag
    await item.modify((draft) => {
      draft.tags = ['x', 'y']
    })
    expect(item._etag).toBe(etag)
    await expect(Items.create({ id: 'b', tags: [], even: 3, count: 0 })).rejects.toThrow('3 is odd')
    expect(() => new Even('p').deserialize({ p: 3 })).toThrow('3 is odd')
  })
})
