import {
  Entity,
  type KeyCodec,
  type KeyFormats,
  type KnownFormats,
  key,
  Property,
  RowKey,
} from '@rowkey/mapper'
import { describe, expectTypeOf, it } from 'vitest'

@Entity({ name: 'people', partitionKey: key`${'state'};${'city'}`, rowKey: key`${'id:8'}` })
class Person {
  state!: string
  city = ''
  id = 0
  @Property() phone?: string
}

@Entity({ partitionKey: key`${'state'}` })
class OneTemplate {
  state!: string
  @RowKey() id!: string
}

// @ts-expect-error the class has no member of that name
@Entity({ partitionKey: key`${'stat'}` })
class Misspelt extends OneTemplate {}

// @ts-expect-error a number is not text
@Entity({ partitionKey: key`${'id:8'}` })
class WrongType extends OneTemplate {}

// @ts-expect-error a key needs the part, and it may be missing
@Entity({ partitionKey: key`${'phone'}` })
class Missing extends Person {}

@Entity({ create: () => new Made('x'), partitionKey: key`${'name'}` })
class Made {
  constructor(readonly name: string) {}
}

// @ts-expect-error the class has no member of that name
@Entity({ create: () => new MadeWrong('x'), partitionKey: key`${'other'}` })
class MadeWrong {
  constructor(readonly name: string) {}
}

type ValuesOf<Codec> = Codec extends KeyCodec<infer Values> ? Values : never

describe('@Entity with key templates', () => {
  it('leaves the class as it was declared', () => {
    expectTypeOf(new Person().id).toEqualTypeOf<number>()
    expectTypeOf(Made).toBeConstructibleWith('x')
    expectTypeOf(MadeWrong).toBeConstructibleWith('x')
    expectTypeOf<Misspelt | WrongType | Missing>().toBeObject()
  })
})

describe('key', () => {
  it('infers the properties and the types of their values', () => {
    const place = key`${'state'};${'city:escaped'}`
    expectTypeOf(place.parse('')).toEqualTypeOf<{ state: string; city: string }>()
    const log = key`${'tenant:guid'}${'no:8'}${'big:19n'}${'i:int32'}${'l:int64'}${'at:inverted'}`
    expectTypeOf(log.parse('')).toEqualTypeOf<{
      tenant: string
      no: number
      big: bigint
      i: number
      l: bigint
      at: Date
    }>()
    const bytes = key`${'sum:hex'};${'day:date'}${'at:time'}${'mail:hash'};${'b:base64url'}`
    expectTypeOf<ValuesOf<typeof bytes>['sum']>().toEqualTypeOf<Uint8Array>()
    expectTypeOf<ValuesOf<typeof bytes>['day']>().toEqualTypeOf<Date>()
    expectTypeOf<ValuesOf<typeof bytes>['mail']>().toEqualTypeOf<string>()
  })

  it('infers the parts of a template within a template', () => {
    const order = key`${key`${'tenant:4'}_`}o${'orderNo:6'}`
    expectTypeOf(order.print).toBeCallableWith({ tenant: 1, orderNo: 2 })
    // @ts-expect-error the tenant is a number
    order.print({ tenant: '1', orderNo: 2 })
  })

  it('rejects unknown formats and parts', () => {
    // @ts-expect-error unknown format
    void key`${'no:eight'}`
    // @ts-expect-error a part is named by text
    void key`${8}`
    const place = key`${'state'};${'no:8'}`
    // @ts-expect-error a part is missing
    void place.print({ state: 'WA' })
    // @ts-expect-error a number is wanted
    void place.print({ state: 'WA', no: '7' })
    // @ts-expect-error unknown part
    void place.prefix({ stat: 'WA' })
  })
})

describe('the message about an unknown format', () => {
  type Unnamed = {
    [Name in keyof KeyFormats]: KnownFormats extends `${string}:${Name}${string}` ? never : Name
  }[keyof KeyFormats]

  it('names every format', () => {
    expectTypeOf<Unnamed>().toBeNever()
  })
})
