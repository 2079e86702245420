import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import type { MemberRule } from '../../../packages/mapper/src/model/member-rule.ts'
import { designEdmType, modelFrom } from '../../../packages/mapper/src/model/model-of.ts'

class Person {
  lastName = ''
  firstName = ''
  age = 5
  note?: string
  shout = (): string => this.firstName
  get initials(): string {
    return this.firstName.charAt(0) + this.lastName.charAt(0)
  }
  whisper(): string {
    return this.firstName
  }
}

const keys: [string, MemberRule][] = [
  ['lastName', { decorators: ['PartitionKey'] }],
  ['firstName', { decorators: ['RowKey'] }],
]

function from(...rules: [string, MemberRule][]) {
  const members = new Map([...keys, ...rules])
  const metadata = { name: undefined, create: undefined, inheritsCreate: false, members }
  return modelFrom(Person, metadata, () => new Person(), new Person())
}

describe('modelFrom', () => {
  it('R-94: makes columns of the fields of a fresh instance, and not of functions', () => {
    expect(from().columns.map(({ property }) => property)).toEqual(expect.arrayContaining(['age']))
    expect(from().columns.map(({ property }) => property)).not.toContain('shout')
    expect(from().columns.map(({ property }) => property)).not.toContain('whisper')
  })

  it('makes a column of a getter that a decorator stands on, and of no other', () => {
    expect(from().columns.map(({ property }) => property)).not.toContain('initials')
    const model = from(['initials', { decorators: ['Property'] }])
    expect(model.columns.map(({ property }) => property)).toContain('initials')
    expect(model.computed).toEqual(['initials'])
  })

  it('prefers the type of a decorator to the declared type', () => {
    const rule: MemberRule = { decorators: ['Property'], type: 'String', designType: Date }
    expect(from(['age', rule]).columns.find(({ property }) => property === 'age')?.type).toBe(
      'String',
    )
  })

  it('leaves ignored members, ETag and Timestamp out of the columns', () => {
    const model = from(
      ['age', { decorators: ['Ignore'] }],
      ['tag', { decorators: ['ETag'] }],
      ['when', { decorators: ['Timestamp'] }],
    )
    expect(model).toMatchObject({ ignored: ['age'], etag: 'tag', timestamp: 'when' })
    const properties = model.columns.map(({ property }) => property)
    expect(properties.filter((each) => ['age', 'tag', 'when'].includes(each))).toEqual([])
  })
})

describe('design types', () => {
  describe('designEdmType', () => {
    it.each([
      [Boolean, 'Boolean'],
      [BigInt, 'Int64'],
      [Date, 'DateTime'],
      [DateTimeValue, 'DateTime'],
      [Uint8Array, 'Binary'],
      [Buffer, 'Binary'],
    ])('reads %o as %s', (designType, type) => {
      expect(designEdmType(designType)).toBe(type)
    })

    it.each([Number, String, Object, Array, Map, Symbol, undefined, null, 'Date', () => 0])(
      'returns nothing for %o',
      (designType) => {
        expect(designEdmType(designType)).toBeUndefined()
      },
    )
  })
})
