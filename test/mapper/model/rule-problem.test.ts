import {
  Blob,
  Convert,
  type Converter,
  Double,
  Encrypted,
  encryptionKeys,
  Int32,
  Int64,
  Json,
  ModelError,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  Text,
} from '@rowkey/mapper'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import type { MemberRule } from '../../../packages/mapper/src/model/member-rule.ts'
import { ruleProblem } from '../../../packages/mapper/src/model/rule-problem.ts'

describe('ruleProblem', () => {
  it('accepts one decorator on a member, and @Property beside @StoreAs', () => {
    expect(ruleProblem({ decorators: ['PartitionKey'] })).toBeUndefined()
    expect(
      ruleProblem({ decorators: ['Property', 'StoreAs'], storedName: 'x', type: 'Guid' }),
    ).toBeUndefined()
  })

  it.each([
    [
      'one member as both keys',
      { decorators: ['PartitionKey', 'RowKey'] },
      /^@PartitionKey and @RowKey/,
    ],
    [
      'an ignored property',
      { decorators: ['Property', 'Ignore'] },
      /^@Ignore and @Property cannot/,
    ],
    ['no stored name', { decorators: ['StoreAs'] }, /^@StoreAs needs the name/],
    [
      'two names',
      { decorators: ['StoreAs'], storedName: 'a', conflict: 'It has two names' },
      /^It has two names\. Keep one\.$/,
    ],
    [
      'an unknown Edm type',
      { decorators: ['Property'], type: 'Int65' },
      /^@Property\('Int65'\).*Use one of Binary, Boolean/,
    ],
  ])('rejects %s', (_what, rule, message) => {
    expect(ruleProblem(rule as MemberRule)).toMatch(message) // also mistakes that do not compile
  })

  it.each(['PartitionKey', 'RowKey', 'ETag', 'Timestamp', 'Ignore'] as const)(
    'R-98: rejects @StoreAs beside @%s',
    (decorator) => {
      const x: MemberRule = { decorators: ['StoreAs', decorator], storedName: 'y' }
      expect(ruleProblem(x)).toContain(`@StoreAs cannot be combined with @${decorator}`)
    },
  )
})

describe('forms', () => {
  const number: Converter<number, string> = { type: 'String', toStored: String, fromStored: Number }

  class Base {
    @PartitionKey() a = ''
    @RowKey() b = ''
  }

  describe('of a class', () => {
    it('names both decorators that define how values are stored', () => {
      class Twice extends Base {
        @Int32() @Double() age = 1
      }
      class Said extends Base {
        @Property('Int32') @Double() age = 1
      }
      class Both extends Base {
        @Json() @Convert(number) age = 1
      }
      expect(() => modelOf(Twice)).toThrow(ModelError)
      expect(() => modelOf(Twice)).toThrow(/^Twice\.age: @\w+\(\) and @\w+\(\) both define/)
      expect(() => modelOf(Said)).toThrow(/^Said\.age: .*@Property\('Int32'\).* both define/)
      expect(() => modelOf(Both)).toThrow(/^Both\.age: .*@Convert\(…\).* both define/)
    })

    it('names a decorator that gives two converters, or two sets of keys', () => {
      const other: Converter<number, string> = { ...number }
      const keys = (id: string) =>
        encryptionKeys({ current: id, keys: { [id]: new Uint8Array(32).fill(1) } })
      class Converted extends Base {
        @Convert(number) @Convert(other) age = 1
      }
      class Encoded extends Base {
        @Json() @Json() tags: string[] = []
      }
      class Hidden extends Base {
        @Encrypted(keys('k1')) @Encrypted(keys('k2')) ssn?: Secret<string>
      }
      expect(() => modelOf(Converted)).toThrow(
        'Converted.age: @Convert(…) gives it two converters. Keep one.',
      )
      expect(() => modelOf(Encoded)).toThrow(
        'Encoded.tags: @Json() gives it two converters. Keep one.',
      )
      expect(() => modelOf(Hidden)).toThrow(
        'Hidden.ssn: @Encrypted gives it two sets of keys. Keep one.',
      )
    })

    it('lets a subclass declare another form than its base class', () => {
      class Old extends Base {
        @Int32() age: number | null = 1
        @Text() notes = ''
      }
      class New extends Old {
        @Double() override age: number | null = 1
        @Property('String') override notes = ''
      }
      const columns = modelOf(New).columns
      expect(columns).toMatchObject([{ type: 'Double' }, { type: 'String' }])
      expect(columns.map(({ chunked }) => chunked)).toEqual([undefined, undefined])
      expect(modelOf(Old).columns).toMatchObject([{ type: 'Int32' }, { chunked: true }])
    })

    it.each<[MemberRule, RegExp]>([
      [
        { decorators: ['Text', 'Blob'], chunkType: 'String' },
        /@Text is for text and @Blob for bytes/,
      ],
      [
        { decorators: ['Text'], chunkType: 'String', type: 'Int32' },
        /@Text cuts values of type String/,
      ],
      [{ decorators: ['Blob'], chunkType: 'Binary', type: 'Guid' }, /@Blob .* is stored as Guid/],
      [{ decorators: ['Convert'] }, /@Convert needs a converter/],
    ])('rejects %o', (rule, message) => {
      expect(ruleProblem(rule)).toMatch(message)
    })

    it('accepts decorators that fit together', () => {
      class Fine extends Base {
        @Json() @Text() json?: unknown
        @Convert(number) @Text() digits?: number
        @Property('Binary') @Blob() bytes?: Uint8Array
        @Property() @Int64() points?: bigint
      }
      expect(modelOf(Fine).columns.map(({ type }) => type)).toEqual([
        'String',
        'String',
        'Binary',
        'Int64',
      ])
    })
  })
})
