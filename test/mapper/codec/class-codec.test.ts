import { modelOf, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import {
  DateTimeValue,
  InputError,
  parseEntityJson,
  type RawEntity,
  timestampOfEtag,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assignColumns,
  checkDeclared,
  membersOf,
} from '../../../packages/mapper/src/codec/class-codec.ts'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { anyText } from '../../support/any-text.ts'
import { invalidKey } from '../../support/rejections.ts'
import { Customer, customer } from '../customer.ts'
import { objectsOf } from '../object-codec.ts'
import { applied, changesOf, lost } from '../object-writes.ts'
import { readPart } from '../read-part.ts'
import { Order } from '../union/store.ts'
import { aColumn } from './a-column.ts'

const codec = objectsOf(modelOf(Customer))
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
const counters = objectsOf(modelOf(Counter))

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

  it('reads what it wrote', () => {
    const some = fc.record(
      {
        customerEmailAddress: anyText(),
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

  it('writes an object that is not an instance of the class', () => {
    const plain = { lastName: 'a', firstName: 'b', age: 5, selected: true } as Customer
    expect(codec.write(plain)).toBe('{"PartitionKey":"a","RowKey":"b","age":5}')
  })

  it('rejects a value on a member that the class does not declare', () => {
    const extended = Object.assign(customer('a', 'b'), { nickname: 'Jeff' })
    expect(() => codec.write(extended)).toThrow(InputError)
    expect(() => codec.write(extended)).toThrow(
      /^Customer\.nickname has a value, .*@Property\(\).*@Ignore\(\)/,
    )
    expect(() =>
      codec.write(Object.assign(customer('a', 'b'), { nickname: undefined })),
    ).not.toThrow()
  })

  it.each([undefined, null, 5, 'Jeff', () => 0])('rejects %o as an entity', (garbage) => {
    const given = garbage as unknown as Customer
    for (const method of ['write', 'writeChanges', 'keyOf'] as const) {
      const call = () => codec[method](given, undefined)
      expect(call).toThrow(InputError)
      expect(call).toThrow(/^An entity of Customer must be an object/)
    }
  })

  it.each([
    ['a slash', 'a/b'],
    ['nothing', undefined],
    ['a number', 5],
  ])('R-06: names class and member for a key with %s', (_what, key) => {
    const wrong = customer('Smith', key as string)
    expect(() => codec.keyOf(wrong)).toThrow(invalidKey)
    expect(() => codec.keyOf(wrong)).toThrow(/^Customer\.firstName: .*RowKey/)
    expect(() => codec.write(wrong)).toThrow(invalidKey)
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

  it('R-10: reads rows that have properties beyond those of the class', () => {
    const read = codec.read({ PartitionKey: 'a', RowKey: 'b', unheardOf: 5 })
    expect(Object.keys(read)).not.toContain('unheardOf')
  })

  it('prefers the ETag in the row to the one beside it', () => {
    const read = codec.read({ PartitionKey: 'a', RowKey: 'b', 'odata.etag': 'W/"1"' }, 'W/"2"')
    expect(codec.etagOf(read, snapshotOf(read))).toBe('W/"1"')
  })
})

describe('the changes of an entity', () => {
  const row = () =>
    parse('{"PartitionKey":"a","RowKey":"b","age":5,"rating":3.0,"extra":7.0,"cea":"x"}')

  it('are empty right after reading', () => {
    expect(changesOf(codec, codec.read(row()))).toBeUndefined()
    const counter = counters.read(parse('{"PartitionKey":"g","RowKey":"n","label":"n: 7"}'))
    expect(changesOf(counters, counter)).toBeUndefined()
  })

  it('are only the properties that were assigned', () => {
    const read = codec.read(row())
    read.age = 6
    expect(changesOf(codec, read)).toBe('{"PartitionKey":"a","RowKey":"b","age":6}')
    read.age = 5
    expect(changesOf(codec, read)).toBeUndefined()
  })

  it('are everything when the entity was never read', () => {
    expect(changesOf(codec, customer('a', 'b', { age: 5 }))).toBe(
      '{"PartitionKey":"a","RowKey":"b","age":5}',
    )
  })

  it('are all properties when the row is unknown', () => {
    expect(codec.writeChanges(codec.read(row()), undefined)).toBe(
      '{"PartitionKey":"a","RowKey":"b","cea":"x","age":5,"rating@odata.type":"Edm.Double","rating":3.0}',
    )
  })

  it('are counted from the last write', () => {
    const read = codec.read(row())
    read.age = 6
    const body = changesOf(codec, read) as string
    applied(codec, read, { etag, body, whole: false })
    expect(changesOf(codec, read)).toBeUndefined()
    read.age = 5
    expect(changesOf(codec, read)).toContain('"age":5')
  })

  it('include assignments made while a write was in flight', () => {
    const read = codec.read(row())
    read.age = 6
    const body = changesOf(codec, read) as string
    read.age = 7
    applied(codec, read, { etag, body, whole: false })
    expect(changesOf(codec, read)).toBe('{"PartitionKey":"a","RowKey":"b","age":7}')
  })

  it('are counted from an insert, too', () => {
    const made = customer('a', 'b', { age: 5, rating: 1 })
    applied(codec, made, { etag, body: codec.write(made), whole: true })
    made.rating = 2
    expect(changesOf(codec, made)).toBe(
      '{"PartitionKey":"a","RowKey":"b","rating@odata.type":"Edm.Double","rating":2.0}',
    )
  })

  it('do not include a property that a replace has left out', () => {
    const read = codec.read(row())
    Object.assign(read, { age: undefined })
    applied(codec, read, { etag, body: codec.write(read), whole: true })
    expect(changesOf(codec, read)).toBeUndefined()
    read.age = 5
    expect(changesOf(codec, read)).toContain('"age":5')
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
    applied(codec, made, { etag, body: codec.write(made), whole: true })
    expect(made.etag).toBe(etag)
    expect(made.modified).toEqual(timestampOfEtag(etag))
    expect(codec.etagOf(made, snapshotOf(made))).toBe(etag)
  })

  it('a frozen entity stays as it is', () => {
    const made = Object.freeze(customer('a', 'b'))
    applied(codec, made, { etag, body: codec.write(made), whole: true })
    expect([made.etag, made.modified]).toEqual([undefined, undefined])
  })

  it('R-47: a class without an @ETag member has it too, out of sight', () => {
    const made = new Counter()
    expect(counters.etagOf(made, snapshotOf(made))).toBeUndefined()
    applied(counters, made, { etag, body: counters.write(made), whole: true })
    expect(counters.etagOf(made, snapshotOf(made))).toBe(etag)
    expect(Reflect.ownKeys(made)).toEqual(['group', 'name', 'count'])
  })
})

describe('the ETag of an entity', () => {
  it('is that of its member, which the caller may assign', () => {
    const read = codec.read(parse('{"PartitionKey":"a","RowKey":"b"}'), etag)
    read.etag = 'W/"2"'
    expect(codec.etagOf(read, snapshotOf(read))).toBe('W/"2"')
    Object.assign(read, { etag: undefined })
    expect(codec.etagOf(read, snapshotOf(read))).toBeUndefined()
  })

  it('does not count for a row that it was not read from, unless the caller assigned it', () => {
    const read = codec.read(parse('{"PartitionKey":"a","RowKey":"b"}'), etag)
    expect(codec.etagOf(read, undefined)).toBeUndefined()
    read.etag = 'W/"2"'
    expect(codec.etagOf(read, undefined)).toBe('W/"2"')
    const counter = counters.read(parse('{"PartitionKey":"g","RowKey":"n"}'), etag)
    expect(counters.etagOf(counter, undefined)).toBeUndefined()
  })
})

describe('after a write in doubt', () => {
  const rowOf = (members: string) => parse(`{"PartitionKey":"a","RowKey":"b"${members}}`)

  it('a merge sends the properties that were sent, by the same ETag, until one succeeds', () => {
    const read = codec.read(rowOf(',"age":5,"active":true,"extra":7.0'), etag)
    lost(codec, read, { body: '{"PartitionKey":"a","RowKey":"b","age":6}', whole: false })
    const body = changesOf(codec, read) as string
    expect(body).toBe('{"PartitionKey":"a","RowKey":"b","age":5}')
    expect(codec.etagOf(read, snapshotOf(read))).toBe(etag)
    applied(codec, read, { etag, body, whole: false })
    expect(changesOf(codec, read)).toBeUndefined()
  })

  it('a merge sends every property when the write was a replace', () => {
    const read = codec.read(rowOf(',"age":5,"active":true'), etag)
    lost(codec, read, { body: '{"PartitionKey":"a","RowKey":"b","age":6}', whole: true })
    expect(changesOf(codec, read)).toBe('{"PartitionKey":"a","RowKey":"b","age":5,"active":true}')
  })

  it('a replace still keeps the properties that the class does not declare', () => {
    const read = codec.read(rowOf(',"age":5,"extra":true'), etag)
    lost(codec, read, { body: codec.write(read), whole: true })
    expect(codec.write(read)).toContain('"extra":true')
    expect(codec.writeShown(read, snapshotOf(read))).toBe(
      '{"PartitionKey":"a","RowKey":"b","age":5}',
    )
  })

  it('a merge keeps a stored Double a Double, and removes nothing', () => {
    const read = counters.read(parse('{"PartitionKey":"g","RowKey":"n","count":3.0}'))
    lost(counters, read, { body: counters.write(read), whole: true })
    expect(changesOf(counters, read)).toContain('"count@odata.type":"Edm.Double","count":3.0')
    Object.assign(read, { count: undefined })
    expect(() => changesOf(counters, read)).toThrow(/cannot remove a property/)
  })

  it('a merge omits initial values that were not assigned, and computed ones of a part', () => {
    const given = counters.read(parse('{"PartitionKey":"g","RowKey":"n","label":"n: 7"}'), etag)
    lost(counters, given, { body: '{"PartitionKey":"g","RowKey":"n","other":8}', whole: false })
    expect(changesOf(counters, given)).toBeUndefined()
    lost(counters, given, { body: '{"PartitionKey":"g","RowKey":"n","count":8}', whole: false })
    expect(changesOf(counters, given)).toBe('{"PartitionKey":"g","RowKey":"n","count":7}')
    const part = readPart(counters, parse('{"PartitionKey":"g","RowKey":"n"}'), etag)
    lost(counters, part, { body: '{"PartitionKey":"g","RowKey":"n"}', whole: false })
    expect(changesOf(counters, part)).toBeUndefined()
  })
})

it('a part is written without what is computed, whatever row it goes to', () => {
  const part = readPart(counters, parse('{"PartitionKey":"g","RowKey":"n","count":3}'), etag)
  const text = '{"PartitionKey":"g","RowKey":"n","count":3}'
  expect(counters.writeShown(part, snapshotOf(part))).toBe(text)
  expect(counters.writeShown(part, undefined)).toBe(text)
  expect(counters.write(part)).toBe(text)
})

describe('a part that was selected', () => {
  class Task {
    @PartitionKey() list = ''
    @RowKey() id = ''
    state = 'open'
    note = ''
  }
  const tasks = objectsOf(modelOf(Task))
  const read = () => readPart(tasks, { PartitionKey: 'a', RowKey: '1', note: 'n' })

  it('is merged into what is stored without the initial values of the rest', () => {
    const part = read()
    expect(JSON.parse(tasks.write(part))).toEqual({ PartitionKey: 'a', RowKey: '1', note: 'n' })
    part.state = 'done'
    expect(JSON.parse(tasks.write(part))).toMatchObject({ state: 'done', note: 'n' })
  })

  it('has no value for unselected members, and sends an initial value that is assigned', () => {
    const part = read()
    expect(part).toEqual({ list: 'a', id: '1', state: undefined, note: 'n' })
    expect(changesOf(tasks, part)).toBeUndefined()
    part.state = 'open'
    expect(changesOf(tasks, part)).toBe('{"PartitionKey":"a","RowKey":"1","state":"open"}')
  })

  it('has no value for unselected members with setters, unless they refuse it', () => {
    class Setting {
      #state = 'open'
      #note = 'none'
      @PartitionKey() list = ''
      @RowKey() id = ''

      @Property() get state(): string {
        return this.#state
      }
      set state(state: string) {
        this.#state = state
      }

      @Property() get note(): string {
        return this.#note
      }
      set note(note: string) {
        this.#note = note.trim()
      }
    }
    const settings = objectsOf(modelOf(Setting))
    const part = readPart(settings, { PartitionKey: 'a', RowKey: '1' })
    expect([part.state, part.note]).toEqual([undefined, 'none'])
    expect(changesOf(settings, part)).toBeUndefined()
    part.state = 'open'
    expect(changesOf(settings, part)).toBe('{"PartitionKey":"a","RowKey":"1","state":"open"}')
  })
})

describe('lacksStored', () => {
  const row = { PartitionKey: 'Smith', RowKey: 'Jeff', cea: 'j@contoso.com', 'odata.etag': 'W/"1"' }
  const lacks = (entity: Customer) => {
    const snapshot = snapshotOf(entity)
    return snapshot !== undefined && codec.lacksStored(entity, snapshot)
  }

  it('is true when a stored value was removed', () => {
    const jeff = codec.read(row)
    expect(lacks(jeff)).toBe(false)
    Object.assign(jeff, { customerEmailAddress: undefined })
    expect(lacks(jeff)).toBe(true)
    Object.assign(jeff, { customerEmailAddress: null })
    expect(lacks(jeff)).toBe(true)
    jeff.customerEmailAddress = ''
    expect(lacks(jeff)).toBe(false)
  })

  it('does not hold for what was not stored, or not read whole', () => {
    expect(lacks(codec.read({ ...row, cea: null }))).toBe(false)
    const part = readPart(codec, row)
    Object.assign(part, { customerEmailAddress: undefined })
    expect(lacks(part)).toBe(false)
  })

  it('does not hold after a merge that went past what others stored', () => {
    const jeff = codec.read(row)
    const body = '{"PartitionKey":"Smith","RowKey":"Jeff","age":1}'
    applied(codec, jeff, { etag: 'W/"2"', body, whole: false })
    Object.assign(jeff, { customerEmailAddress: undefined })
    expect(lacks(jeff)).toBe(false)
  })
})

describe('refresh', () => {
  it('copies stored members, and keeps the others', () => {
    const jeff = customer('Smith', 'Jeff', { age: 1, rating: 2, selected: true })
    const fresh = codec.read(parse('{"PartitionKey":"Smith","RowKey":"Jeff","age":5}'), 'W/"1"')
    Reflect.deleteProperty(fresh, 'rating')
    codec.refresh(jeff, fresh)
    expect(jeff).toMatchObject({ age: 5, selected: true, etag: 'W/"1"' })
    expect(Object.keys(jeff)).not.toContain('rating')
  })

  it('assigns through setters', () => {
    class Aged {
      @PartitionKey() group = 'g'
      @RowKey() name = 'n'
      #age = 1
      @Property() get age(): number {
        return this.#age
      }
      set age(age: number) {
        this.#age = age
      }
    }
    const aged = objectsOf(modelOf(Aged))
    const person = new Aged()
    aged.refresh(person, aged.read({ PartitionKey: 'g', RowKey: 'n', age: 5 }))
    expect(person.age).toBe(5)
    expect(Object.keys(person)).toEqual(['group', 'name'])
  })
})

describe('a target with members called partitionKey and rowKey', () => {
  class Audit {
    @PartitionKey() day = ''
    @RowKey() id = ''
    partitionKey = ''
    rowKey = ''
  }
  class Plain {
    @PartitionKey() partitionKey = ''
    @RowKey() rowKey = ''
  }

  it('is a key, unless the class stores these members beside its own keys', () => {
    const target = { partitionKey: 'a', rowKey: 'b' }
    expect(codec.isKey(target)).toBe(true)
    expect(objectsOf(modelOf(Plain)).isKey(target)).toBe(true)
    expect(objectsOf(modelOf(Audit)).isKey(target)).toBe(false)
    expect([codec.isKey({ partitionKey: 'a' }), codec.isKey({ rowKey: 'b' })]).toEqual([
      false,
      false,
    ])
  })
})

describe('checks of an object', () => {
  const check = (members: Record<string, unknown>) =>
    checkDeclared(modelOf(Customer), members, new Set(['age']))

  describe('checkDeclared', () => {
    it('rejects a value in a member that the class does not declare', () => {
      expect(() => check({ age: 5, nickname: '' })).toThrow(InputError)
      expect(() => check({ nickname: 0 })).toThrow(
        /^Customer\.nickname has a value, .*@Property\(\).*@Ignore\(\)/,
      )
      expect(() => check({ nickname: 0 })).toThrow(
        expect.objectContaining({
          code: 'UndeclaredProperty',
          details: { property: 'Customer.nickname' },
        }),
      )
    })

    it('names the schema of a model without a class', () => {
      expect(() => checkDeclared(Order, { extra: 1 }, new Set())).toThrow(
        'orders.extra has a value, but the model does not declare it, so it would not be stored. Add it to the schema, or remove it.',
      )
    })

    it('accepts members that are never stored', () => {
      expect(() => check({ age: 5, a: undefined, b: null, greet: () => 'hello' })).not.toThrow()
      expect(() => check(Object.create({ inherited: 5 }))).not.toThrow()
    })
  })

  class Person {
    @PartitionKey() lastName = ''
    @RowKey() firstName = ''
  }

  describe('membersOf', () => {
    it('returns the object itself', () => {
      const jeff = new Person()
      expect(membersOf(modelOf(Person), jeff)).toBe(jeff)
    })

    it.each([null, undefined, 'Jeff', 5])('rejects %o, naming the class', (given) => {
      expect(() => membersOf(modelOf(Person), given)).toThrow(InputError)
      expect(() => membersOf(modelOf(Person), given)).toThrow(
        /^An entity of Person must be an object; got /,
      )
    })
  })
})

const raw = { PartitionKey: 'a', RowKey: 'b' }

describe('assignColumns', () => {
  it('overwrites any earlier value with the stored one', () => {
    const members = { member: 'initial' }
    expect(assignColumns([aColumn('String')], members, { ...raw, m: 'stored' })).toBeUndefined()
    expect(members.member).toBe('stored')
  })

  it('keeps an initial value without a stored one, and records it by its stored name', () => {
    const members = { member: 'initial' }
    expect(assignColumns([aColumn('String')], members, raw)).toEqual(
      new Map([['m', ',"m":"initial"']]),
    )
    expect(members.member).toBe('initial')
  })

  it('keeps an initial value that cannot be stored, and the next write rejects it', () => {
    const members = { member: 'no guid' }
    expect(assignColumns([aColumn('Guid')], members, raw)).toBeUndefined()
    expect(members.member).toBe('no guid')
  })

  it.each([undefined, null])('records no initial value that is %o', (initial) => {
    const members = { member: initial }
    expect(assignColumns([aColumn()], members, raw)).toBeUndefined()
    expect(members.member).toBe(initial)
  })

  it('ignores computed members', () => {
    const members = { member: 'own' }
    const computed = { ...aColumn('String'), computed: true }
    assignColumns([computed], members, { ...raw, m: 'stored' })
    expect(members.member).toBe('own')
  })
})
