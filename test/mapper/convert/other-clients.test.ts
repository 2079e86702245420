import {
  type Account,
  Convert,
  type Converter,
  Entity,
  PartitionKey,
  Property,
  RowKey,
} from '@rowkey/mapper'
import {
  enumText,
  javaDate,
  nestedProperties,
  timeSpanText,
  unsignedInt32,
  unsignedInt64,
} from '@rowkey/mapper/other-clients'
import {
  DateTimeValue,
  DynamicEntity,
  type EdmValue,
  EntityProperty,
  parseDateTime,
} from '@rowkey/odata'
import { beforeEach, describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'

const Colour = { None: 0, Red: 1, Green: 2, Blue: 4 }
/** What the compiler makes of an `enum` with numbers. */
const compiledEnum = { 0: 'None', 1: 'Red', None: 0, Red: 1 }

const KEY = { partitionKey: 'a', rowKey: 'b' }

function bothWays<Value, Stored extends EdmValue>(converter: Converter<Value, Stored>) {
  return {
    store: (value: Value) => converter.toStored(value, KEY),
    read: (stored: Stored) => converter.fromStored(stored, KEY),
  }
}

describe('timeSpanText', () => {
  const { store, read } = bothWays(timeSpanText)

  it.each([
    ['00:00:00', 0],
    ['00:00:01.5000000', 1500],
    ['00:00:00.0000001', 0.0001],
    ['-00:00:00.0000001', -0.0001],
    ['1.02:03:04', 93_784_000],
    ['-1.23:59:59.9990000', -172_799_999],
    ['10675199.02:48:05.4770000', 922_337_203_685_477],
  ])('reads and writes %s', (text, ms) => {
    expect([read(text), store(ms)]).toEqual([ms, text])
  })

  it.each([
    '',
    '1',
    '1:2',
    'P1D',
    '1.2.03:04:05',
    '000000001.00:00:00',
    '00:00:01.12345678',
    ' 00:00:01',
  ])('rejects the text %o', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'ConversionFailed' }))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -922_337_203_685_478])('rejects %d ms', (ms) => {
    expect(() => store(ms)).toThrow(`${ms} must be a TimeSpan`)
  })
})

describe('unsigned integers', () => {
  it('are stored as the signed ones with the same bits', () => {
    const [small, large] = [bothWays(unsignedInt32), bothWays(unsignedInt64)]
    expect([0, 2 ** 31, 2 ** 32 - 1].map(small.store)).toEqual([0, -(2 ** 31), -1])
    expect([0, -(2 ** 31), -1].map(small.read)).toEqual([0, 2 ** 31, 2 ** 32 - 1])
    expect([0n, 2n ** 63n, 2n ** 64n - 1n].map(large.store)).toEqual([0n, -(2n ** 63n), -1n])
    expect([0n, -(2n ** 63n), -1n].map(large.read)).toEqual([0n, 2n ** 63n, 2n ** 64n - 1n])
  })

  it.each([-1, 2 ** 32, 0.5, Number.NaN])('reject %d', (value) => {
    expect(() => bothWays(unsignedInt32).store(value)).toThrow('4294967295')
  })

  it.each([-1n, 2n ** 64n])('reject %d', (value) => {
    expect(() => bothWays(unsignedInt64).store(value)).toThrow('a bigint from 0')
  })
})

describe('javaDate', () => {
  const { store, read } = bothWays(javaDate)

  it.each([
    ['2012-01-04T23:21:59.0000123Z', '2012-01-04T23:21:59.123Z'],
    ['2012-01-04T23:21:59.0000001Z', '2012-01-04T23:21:59.001Z'],
    ['2012-01-04T23:21:59Z', '2012-01-04T23:21:59.000Z'],
    ['2012-01-04T23:21:59.0001Z', '2012-01-04T23:21:59.000Z'],
    ['2012-01-04T23:21:59.1230123Z', '2012-01-04T23:21:59.123Z'],
    ['1960-01-04T23:21:59.0000123Z', '1960-01-04T23:21:59.123Z'],
  ])('reads %s as %s', (stored, date) => {
    expect(read(parseDateTime(stored)).toISOString()).toBe(date)
  })

  it('writes milliseconds, and never steps of 100 ns', () => {
    const stored = store(new DateTimeValue(5, 7))
    expect([stored, read(stored)]).toEqual([new Date(5), new Date(5)])
  })
})

describe('enumText', () => {
  it.each([null, undefined, 'Red', 1])('rejects %j in place of an enum', (members) => {
    expect(() => enumText(members as never)).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: expect.stringContaining('enumText takes an enum'),
      }),
    )
  })

  it.each([
    [{ flag: true }, /enumText has no option 'flag'/],
    [{ flags: 'yes' }, /flags of enumText must be true or false/],
    [null, /options of enumText must be an object/],
  ])('rejects the options %j', (options, message) => {
    expect(() => enumText(Colour, options as never)).toThrow(message)
  })

  const one = bothWays(enumText(Colour))
  const many = bothWays(enumText(Colour, { flags: true }))

  it('stores the name of a member, and the digits of another number', () => {
    expect([Colour.Red, Colour.None, 3].map(one.store)).toEqual(['Red', 'None', '3'])
    expect(['Red', 'None', '3', '-1'].map(one.read)).toEqual([Colour.Red, Colour.None, 3, -1])
  })

  it('accepts an enum as TypeScript compiles it', () => {
    const { store, read } = bothWays(enumText(compiledEnum))
    expect([[0, 1].map(store), ['None', 'Red'].map(read)]).toEqual([
      ['None', 'Red'],
      [0, 1],
    ])
  })

  it('stores the names of flags', () => {
    const [violet, beyond] = [Colour.Red | Colour.Blue, Colour.Red | 8]
    expect([violet, beyond, Colour.None].map(many.store)).toEqual(['Red, Blue', '9', 'None'])
    expect(['Red, Blue', '9', 'None'].map(many.read)).toEqual([violet, beyond, Colour.None])
  })

  it.each([false, true])('stores 0 as its digit when no member is 0, flags: %s', (flags) => {
    const { store, read } = bothWays(enumText({ Read: 1, Write: 2 }, { flags }))
    expect([store(0), read(store(0))]).toEqual(['0', 0])
  })

  it('rejects a name that the enum does not have, and a number that is not whole', () => {
    expect(() => one.read('red')).toThrow('"red" must be one of None, Red, Green, Blue.')
    expect(() => one.store(1.5)).toThrow('1.5 must be a whole number.')
  })
})

describe('nestedProperties', () => {
  it.each([null, undefined, {}, 'a_b', []])('rejects %j in place of a Map', (properties) => {
    expect(() => nestedProperties(properties as never)).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: expect.stringContaining('takes the Map of properties'),
      }),
    )
  })

  const nested = (properties: Record<string, EdmValue>, delimiter?: string) =>
    nestedProperties(new DynamicEntity('a', 'b', properties).properties, delimiter)

  it.each(['', 5, null, {}])('rejects the delimiter %j', (delimiter) => {
    expect(() => nested({ a5b: 1 }, delimiter as never)).toThrow(
      /delimiter of nestedProperties must be a text, not empty/,
    )
  })

  it('rebuilds the object that .NET flattened', () => {
    const stored = { Name: 'Ann', Home_City: 'Delft', Home_Geo_X: 1.5, Home_Geo_Y: 2, Age: 9n }
    expect(nested(stored)).toEqual({
      Name: 'Ann',
      Age: 9n,
      Home: { City: 'Delft', Geo: { X: 1.5, Y: 2 } },
    })
    expect(nested({ 'a.b': 1, a_b: 2 }, '.')).toEqual({ a: { b: 1 }, a_b: 2 })
  })

  it('keeps names that begin or end with the delimiter', () => {
    expect(nested({ _id: 1, id_: 2 })).toEqual({ _id: 1, id_: 2 })
  })

  it('rejects a property that is both a value and an object', () => {
    const message = '"Home" must be either a value or an object, because "Home_City" exists.'
    expect(() => nested({ Home: 'x', Home_City: 'Delft' })).toThrow(message)
  })

  it('adds members only to the new object', () => {
    const { ['__proto__']: own } = nested({ '__proto__.x': 1 }, '.')
    expect([own, Object.prototype]).toEqual([{ x: 1 }, {}])
  })
})

@Entity('jobs')
class Job {
  @PartitionKey() queue = ''
  @RowKey() id = ''
  @Convert(timeSpanText) Timeout?: number
  @Convert(unsignedInt64) Size?: bigint
  @Convert(enumText(Colour)) Paint?: number
  @Convert(javaDate) Created?: Date
  @Property('Int32') Tries = 0
}

describe('a row of Java or .NET', () => {
  let account: Account
  beforeEach(async () => {
    account = freshAccount().account
    await account.table(Job).create()
    const stored = new DynamicEntity('a', 'b', {
      Timeout: '0:00:05',
      Size: -1n,
      Paint: 'Green',
      Created: EntityProperty.dateTime(parseDateTime('2011-03-04T05:06:07.0000089Z')),
      Tries: 1,
      Home_City: 'Delft',
    })
    await account.table('jobs').insert(stored)
  })

  it('is read, found and changed; what did not change keeps its stored form', async () => {
    const jobs = account.table(Job)
    const job = await jobs.query().where({ queue: 'a', Paint: Colour.Green }).first()
    expect([job.Timeout, job.Size, job.Created]).toEqual([
      5000,
      2n ** 64n - 1n,
      new Date('2011-03-04T05:06:07.089Z'),
    ])
    job.Size = 5n
    await jobs.merge(job)
    const { properties } = await account.table('jobs').get(['a', 'b'])
    expect(properties.get('Size')?.value).toBe(5n)
    expect(properties.get('Timeout')?.value).toBe('0:00:05')
    expect(JSON.stringify(properties.get('Created')?.value)).toBe('"2011-03-04T05:06:07.0000089Z"')
  })

  it('is read by a resolver as the object that was flattened', async () => {
    const [job] = await account
      .table('jobs')
      .query()
      .where({ partitionKey: 'a' })
      .resolve((_queue, _id, _time, properties) => nestedProperties(properties))
      .toArray()
    expect(job).toMatchObject({ Tries: 1, Home: { City: 'Delft' } })
  })
})
