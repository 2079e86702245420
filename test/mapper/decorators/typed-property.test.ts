import {
  Binary,
  DateTime,
  Double,
  type EntityModel,
  Guid,
  Int32,
  Int64,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { invalidValue } from '../../support/rejections.ts'
import { objectsOf } from '../object-codec.ts'
import { changesOf } from '../object-writes.ts'

class Base {
  @PartitionKey() a = 'a'
  @RowKey() b = 'b'
}

class WithInt32 extends Base {
  @Int32() m?: number | null
}
class WithInt64 extends Base {
  @Int64() m?: bigint | null
}
class WithDouble extends Base {
  @Double() m?: number | null
}
class WithGuid extends Base {
  @Guid() m?: string | null
}
class WithDateTime extends Base {
  @DateTime() m?: Date | null
}
class WithBinary extends Base {
  @Binary() m?: Uint8Array | null
}

const guid = '00000000-0000-0000-0000-000000000001'
const key = { PartitionKey: 'a', RowKey: 'b' }
const int32 = objectsOf(modelOf(WithInt32))
const int64 = objectsOf(modelOf(WithInt64))
const double = objectsOf(modelOf(WithDouble))
const dateTime = objectsOf(modelOf(WithDateTime))

describe.each<
  [type: string, model: EntityModel<Base>, value: unknown, json: string, wrong: unknown]
>([
  ['Int32', modelOf(WithInt32), 7, '"m":7', 2.5],
  ['Int64', modelOf(WithInt64), 7n, '"m@odata.type":"Edm.Int64","m":"7"', '7'],
  ['Double', modelOf(WithDouble), 7, '"m@odata.type":"Edm.Double","m":7.0', '7'],
  ['Guid', modelOf(WithGuid), guid, `"m@odata.type":"Edm.Guid","m":"${guid}"`, 'seven'],
  [
    'DateTime',
    modelOf(WithDateTime),
    new Date(0),
    '"m@odata.type":"Edm.DateTime","m":"1970-01-01T00:00:00Z"',
    'today',
  ],
  [
    'Binary',
    modelOf(WithBinary),
    new Uint8Array([1]),
    '"m@odata.type":"Edm.Binary","m":"AQ=="',
    'AQ==',
  ],
])('@%s', (type, model, value, json, wrong) => {
  const write = (m: unknown) => objectsOf(model).write(Object.assign(model.create(), { m }))

  it('stores its type, with every compiler', () => {
    expect(model.columns).toMatchObject([{ property: 'm', type }])
    expect(write(value)).toBe(`{"PartitionKey":"a","RowKey":"b",${json}}`)
  })

  it('rejects a value of another type, and stores nothing for null', () => {
    expect(() => write(wrong)).toThrow(invalidValue)
    expect(write(null)).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })
})

describe('@Int32', () => {
  it('rejects a stored Int64 and a stored Double', () => {
    const stored = { ...key, 'm@odata.type': 'Edm.Int64', m: '7' }
    expect(() => int32.read(stored)).toThrow(/^WithInt32\.m is declared as Int32, .* of type Int64/)
    expect(() => int32.read({ ...key, m: 7.5 })).toThrow(/of type Double/)
  })
})

describe('@Int64', () => {
  it('reads a stored Int32 exactly, and rejects a stored Double', () => {
    expect(int64.read({ ...key, m: 7 }).m).toBe(7n)
    expect(() => int64.read({ ...key, m: 7.5 })).toThrow(/^WithInt64\.m is declared as Int64/)
  })
})

describe('the options of an Int64', () => {
  it.each([
    ['an unknown option', { ass: 'number' }, "@Int64 has no option 'ass'. Its options are: as."],
    ['text', 'number', 'The options of @Int64 must be an object.'],
  ])('rejects %s', (_, options, message) => {
    expect(() => Int64(options as never)).toThrow(message)
    expect(() => Property('Int64', options as never)).toThrow(message)
  })

  it('do not exist for another type', () => {
    expect(() => Property('Int32' as never, { as: 'number' })).toThrow(
      /Only @Property\('Int64'\) has options; @Property\('Int32'\) has one argument/,
    )
  })
})

describe('@Double', () => {
  it('reads a stored Int32, and keeps its type while the value is unchanged', () => {
    const thing = double.read({ ...key, m: 7 })
    expect(thing.m).toBe(7)
    expect(changesOf(double, thing)).toBeUndefined()
    expect(double.write(thing)).toBe('{"PartitionKey":"a","RowKey":"b","m":7}')
  })
})

describe('@DateTime', () => {
  it('keeps all seven digits of a value that was read', () => {
    const m = '2020-01-02T03:04:05.1234567Z'
    const thing = dateTime.read({ ...key, 'm@odata.type': 'Edm.DateTime', m })
    expect(dateTime.write(thing)).toContain(m)
    expect(changesOf(dateTime, thing)).toBeUndefined()
  })
})
