import { codecOf, ModelError, modelOf, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import {
  DateTimeValue,
  EntityKeyError,
  parseEntityJson,
  type RawEntity,
  timestampOfEtag,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'

const codec = codecOf(modelOf(Customer))
const parse = (json: string) => parseEntityJson(json) as RawEntity
const etag = `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`

class Counter {
  @PartitionKey() group = 'g'
  @RowKey() name = 'n'
  count = 7
  @Property() get label(): string {
    return `${this.name}: ${this.count}`
  }
}
const counters = codecOf(modelOf(Counter))

describe('a class codec', () => {
  it('R-08: keeps every Edm type through writing and reading', () => {
    const full = customer('Smith', "O'Brien", {
      customerEmailAddress: 'jeff@contoso.com',
      age: 39,
      rating: 4,
      points: 9_007_199_254_740_993n,
      active: true,
      since: DateTimeValue.parse('2017-11-10T02:46:55.7383596Z'),
      account: '00000000-0000-0000-0000-00000000000a',
      photo: Uint8Array.of(0, 255),
    })
    const text = codec.write(full)
    const back = codec.read(parse(text))
    expect(codec.write(back)).toBe(text)
    expect(back).toBeInstanceOf(Customer)
    expect({ ...back, photo: undefined, since: undefined }).toEqual({
      ...full,
      photo: undefined,
      since: undefined,
    })
    expect([...(back.photo ?? [])]).toEqual([0, 255])
    expect(back.since?.toJSON()).toBe('2017-11-10T02:46:55.7383596Z')
  })

  it('gives back whatever it wrote', () => {
    const some = fc.record(
      {
        customerEmailAddress: fc.string({ unit: 'binary' }),
        age: fc.integer(),
        rating: fc.double(),
        points: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        active: fc.boolean(),
        since: fc.date({
          min: new Date('1601-01-01'),
          max: new Date('9999-12-31'),
          noInvalidDate: true,
        }),
        photo: fc.uint8Array(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(some, (rest) => {
        const text = codec.write(customer('a', 'b', rest))
        expect(codec.write(codec.read(parse(text)))).toBe(text)
      }),
    )
  })

  it('R-09: writes nothing for undefined and null, and text that is empty', () => {
    const empty = customer('', '', { customerEmailAddress: '', age: undefined as never })
    Object.assign(empty, { points: null })
    expect(codec.write(empty)).toBe('{"PartitionKey":"","RowKey":"","cea":""}')
  })

  it('writes an object that is no instance of the class', () => {
    const plain = { lastName: 'a', firstName: 'b', age: 5, selected: true } as Customer
    expect(codec.write(plain)).toBe('{"PartitionKey":"a","RowKey":"b","age":5}')
  })

  it('refuses a value on a member that the class does not declare', () => {
    const extended = Object.assign(customer('a', 'b'), { nickname: 'Jeff' })
    expect(() => codec.write(extended)).toThrow(ModelError)
    expect(() => codec.write(extended)).toThrow(/^Customer\.nickname: .*@Property\(\).*@Ignore\(\)/)
    expect(() =>
      codec.write(Object.assign(customer('a', 'b'), { nickname: undefined })),
    ).not.toThrow()
  })

  it.each([undefined, null, 5, 'Jeff', () => 0])('refuses %o as an entity', (garbage) => {
    const given = garbage as unknown as Customer
    for (const method of ['write', 'writeChanges', 'keyOf', 'etagOf'] as const) {
      expect(() => codec[method](given)).toThrow(ModelError)
      expect(() => codec[method](given)).toThrow(/^Customer: An entity is an object/)
    }
  })

  it.each([
    ['a slash', 'a/b'],
    ['nothing', undefined],
    ['a number', 5],
  ])('R-06: names class and member for a key with %s', (_what, key) => {
    const wrong = customer('Smith', key as string)
    expect(() => codec.keyOf(wrong)).toThrow(EntityKeyError)
    expect(() => codec.keyOf(wrong)).toThrow(/^Customer\.firstName: .*RowKey/)
    expect(() => codec.write(wrong)).toThrow(EntityKeyError)
  })

  it('writes a computed member and never assigns it', () => {
    expect(counters.write(new Counter())).toContain('"label":"n: 7"')
    expect(counters.read({ PartitionKey: 'g', RowKey: 'n', label: 'other' }).label).toBe('n: 7')
  })
})

describe('reading', () => {
  it('R-103: leaves the initial value of a member that is not stored', () => {
    expect(counters.read({ PartitionKey: 'g', RowKey: 'n' }).count).toBe(7)
    expect(counters.read({ PartitionKey: 'g', RowKey: 'n', count: null }).count).toBe(7)
    expect(counters.read({ PartitionKey: 'g', RowKey: 'n', count: 0 }).count).toBe(0)
  })

  it('R-10: takes rows that have other properties than the class', () => {
    const read = codec.read({ PartitionKey: 'a', RowKey: 'b', unheardOf: 5 })
    expect(Object.keys(read)).not.toContain('unheardOf')
  })

  it('prefers the ETag in the row to the one beside it', () => {
    const read = codec.read({ PartitionKey: 'a', RowKey: 'b', 'odata.etag': 'W/"1"' }, 'W/"2"')
    expect(codec.etagOf(read)).toBe('W/"1"')
  })
})

describe('what changed', () => {
  const row = () =>
    parse('{"PartitionKey":"a","RowKey":"b","age":5,"rating":3.0,"extra":7.0,"cea":"x"}')

  it('is nothing right after reading', () => {
    expect(codec.writeChanges(codec.read(row()))).toBeUndefined()
    expect(
      counters.writeChanges(
        counters.read(parse('{"PartitionKey":"g","RowKey":"n","label":"n: 7"}')),
      ),
    ).toBeUndefined()
  })

  it('is the property that was touched, and no other', () => {
    const read = codec.read(row())
    read.age = 6
    expect(codec.writeChanges(read)).toBe('{"PartitionKey":"a","RowKey":"b","age":6}')
    read.age = 5
    expect(codec.writeChanges(read)).toBeUndefined()
  })

  it('is everything of an entity that was never read', () => {
    expect(codec.writeChanges(customer('a', 'b', { age: 5 }))).toBe(
      '{"PartitionKey":"a","RowKey":"b","age":5}',
    )
  })

  it('is counted from the last write', () => {
    const read = codec.read(row())
    read.age = 6
    const body = codec.writeChanges(read) as string
    codec.written(read, etag, { body, whole: false })
    expect(codec.writeChanges(read)).toBeUndefined()
    read.age = 5
    expect(codec.writeChanges(read)).toContain('"age":5')
  })

  it('counts what was changed while the write was under way', () => {
    const read = codec.read(row())
    read.age = 6
    const body = codec.writeChanges(read) as string
    read.age = 7
    codec.written(read, etag, { body, whole: false })
    expect(codec.writeChanges(read)).toBe('{"PartitionKey":"a","RowKey":"b","age":7}')
  })

  it('is counted from an insert, too', () => {
    const made = customer('a', 'b', { age: 5, rating: 1 })
    codec.written(made, etag, { body: codec.write(made), whole: true })
    made.rating = 2
    expect(codec.writeChanges(made)).toBe(
      '{"PartitionKey":"a","RowKey":"b","rating@odata.type":"Edm.Double","rating":2.0}',
    )
  })

  it('forgets a property that a replace left out', () => {
    const read = codec.read(row())
    Object.assign(read, { age: undefined })
    codec.written(read, etag, { body: codec.write(read), whole: true })
    expect(codec.writeChanges(read)).toBeUndefined()
    read.age = 5
    expect(codec.writeChanges(read)).toContain('"age":5')
  })
})

describe('a whole entity that was read', () => {
  it('is written with the stored properties that the class does not declare', () => {
    const read = codec.read(parse('{"PartitionKey":"a","RowKey":"b","age":5,"extra":7.0}'))
    read.age = 6
    expect(codec.write(read)).toBe(
      '{"PartitionKey":"a","RowKey":"b","age":6,"extra@odata.type":"Edm.Double","extra":7.0}',
    )
  })

  it('is written without the properties that were cleared', () => {
    const read = codec.read(parse('{"PartitionKey":"a","RowKey":"b","age":5}'))
    Object.assign(read, { age: undefined })
    expect(codec.write(read)).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })

  it('keeps a stored Double a Double where the class declares no type', () => {
    const read = counters.read(parse('{"PartitionKey":"g","RowKey":"n","count":3.0}'))
    expect(counters.write(read)).toContain('"count@odata.type":"Edm.Double","count":3.0')
  })
})

describe('after a write', () => {
  it('R-47: an entity has the new ETag and Timestamp', () => {
    const made = customer('a', 'b')
    codec.written(made, etag, { body: codec.write(made), whole: true })
    expect(made.etag).toBe(etag)
    expect(made.modified).toEqual(timestampOfEtag(etag))
    expect(codec.etagOf(made)).toBe(etag)
  })

  it('a frozen entity stays as it is', () => {
    const made = Object.freeze(customer('a', 'b'))
    codec.written(made, etag, { body: codec.write(made), whole: true })
    expect([made.etag, made.modified]).toEqual([undefined, undefined])
  })

  it('R-47: a class without an @ETag member has it too, out of sight', () => {
    const made = new Counter()
    expect(counters.etagOf(made)).toBeUndefined()
    counters.written(made, etag, { body: counters.write(made), whole: true })
    expect(counters.etagOf(made)).toBe(etag)
    expect(Reflect.ownKeys(made)).toEqual(['group', 'name', 'count'])
  })
})

describe('after a write that is in doubt', () => {
  const rowOf = (members: string) => parse(`{"PartitionKey":"a","RowKey":"b"${members}}`)

  it('a merge sends every property, by the same ETag, until one succeeds', () => {
    const read = codec.read(rowOf(',"age":5,"extra":7.0'), etag)
    codec.forget(read, { body: '{"PartitionKey":"a","RowKey":"b","age":6}', whole: false })
    const body = codec.writeChanges(read) as string
    expect(body).toBe('{"PartitionKey":"a","RowKey":"b","age":5}')
    expect(codec.etagOf(read)).toBe(etag)
    codec.written(read, etag, { body, whole: false })
    expect(codec.writeChanges(read)).toBeUndefined()
  })

  it('a replace still keeps the properties that the class does not declare', () => {
    const read = codec.read(rowOf(',"age":5,"extra":true'), etag)
    codec.forget(read)
    expect(codec.write(read)).toContain('"extra":true')
    expect(codec.writeShown?.(read)).toBe('{"PartitionKey":"a","RowKey":"b","age":5}')
  })

  it('a merge keeps a stored Double a Double, and removes nothing', () => {
    const read = counters.read(parse('{"PartitionKey":"g","RowKey":"n","count":3.0}'))
    counters.forget(read)
    expect(counters.writeChanges(read)).toContain('"count@odata.type":"Edm.Double","count":3.0')
    Object.assign(read, { count: undefined })
    expect(() => counters.writeChanges(read)).toThrow(/cannot remove a property/)
  })

  it('a merge sends no initial value that nobody gave, and no computed one of a part', () => {
    const given = counters.read(parse('{"PartitionKey":"g","RowKey":"n"}'), etag)
    counters.forget(given, { body: '{"PartitionKey":"g","RowKey":"n","count":8}', whole: false })
    expect(counters.writeChanges(given)).toContain('"count":7')
    const part = counters.readPart(parse('{"PartitionKey":"g","RowKey":"n"}'), etag)
    counters.forget(part, { body: '{"PartitionKey":"g","RowKey":"n"}', whole: false })
    expect(counters.writeChanges(part)).toBeUndefined()
  })
})

describe('a part that was selected', () => {
  class Task {
    @PartitionKey() list = ''
    @RowKey() id = ''
    state = 'open'
    note = ''
  }

  it('is merged into what is stored without the initial values of the rest', () => {
    const tasks = codecOf(modelOf(Task))
    const part = tasks.readPart({ PartitionKey: 'a', RowKey: '1', note: 'n' })
    expect(JSON.parse(tasks.write(part))).toEqual({ PartitionKey: 'a', RowKey: '1', note: 'n' })
    part.state = 'done'
    expect(JSON.parse(tasks.write(part))).toMatchObject({ state: 'done', note: 'n' })
  })
})
