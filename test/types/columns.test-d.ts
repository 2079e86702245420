import {
  Binary,
  Blob,
  Convert,
  type Converter,
  DateTime,
  Double,
  Guid,
  Int32,
  Int64,
  Json,
  PartitionKey,
  RowKey,
  StoreAs,
  Text,
} from '@rowkey/mapper'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

class Percent {
  readonly value: number = 0
}

declare const percent: Converter<Percent, number>
const tags = z.array(z.string())

class Article {
  @PartitionKey() shop = ''
  @RowKey() id = ''
  @Int32() floor = 0
  @Int64() points?: bigint | null
  @Double() price = 0
  @Guid() code?: string
  @DateTime() since?: Date
  @Binary() thumbnail?: Buffer
  @Blob() photo?: Uint8Array | null
  @Text() description = ''
  @Convert(percent) @StoreAs('d') discount?: Percent
  @Json() address?: { street: string }
  @Json(tags) tags: string[] = []
  @Json() @Text() log?: readonly number[]
}

class Refused {
  // @ts-expect-error a text is not an Int32
  @Int32() floor = ''
  // @ts-expect-error a number is read back as a bigint
  @Int64() points = 5
  // @ts-expect-error a text is not a Double
  @Double() price = ''
  // @ts-expect-error a number is not a Guid
  @Guid() code = 5
  // @ts-expect-error a text is not a Date
  @DateTime() since = 'today'
  // @ts-expect-error text is not bytes
  @Binary() thumbnail = ''
  // @ts-expect-error text is not bytes
  @Blob() photo = ''
  // @ts-expect-error the converter makes percents
  @Convert(percent) discount = 5
  // @ts-expect-error the schema gives texts
  @Json(tags) tags: number[] = []
}

describe('the decorators of one type each', () => {
  it('leave the types of members as they are', () => {
    expectTypeOf<Article['points']>().toEqualTypeOf<bigint | null | undefined>()
    expectTypeOf<Article['address']>().toEqualTypeOf<{ street: string } | undefined>()
    expectTypeOf<Refused>().toBeObject()
  })
})
