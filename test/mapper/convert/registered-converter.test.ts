import {
  type Converter,
  Entity,
  jsonText,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import {
  checkConverters,
  registeredConverter,
} from '../../../packages/mapper/src/convert/registered-converter.ts'

class Decimal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const decimal: Converter<Decimal, string> = {
  type: 'String',
  toStored: ({ text }) => text,
  fromStored: (stored) => new Decimal(stored),
}

const converters = [[Decimal, decimal]] as const

@Entity({ name: 'prices', converters })
class Price {
  @PartitionKey() shop = ''
  @RowKey() article = ''
  price = new Decimal('0')
  note = ''
}

class Sale extends Price {
  before = new Decimal('0')
}

describe('registeredConverter', () => {
  it('R-101: finds a converter by the value of a fresh instance, and by the declared class', () => {
    expect(registeredConverter(converters, new Decimal('1'), undefined)).toBe(decimal)
    expect(registeredConverter(converters, undefined, Decimal)).toBe(decimal)
    expect(registeredConverter(converters, undefined, Object)).toBeUndefined()
    expect(registeredConverter(converters, 'x', String)).toBeUndefined()
  })

  it('converts the members of a class and of its subclasses', () => {
    const typesOf = (entityClass: typeof Price) =>
      modelOf(entityClass).columns.map(({ property, converter }) => [property, converter?.type])
    expect(typesOf(Price)).toEqual([
      ['price', 'String'],
      ['note', undefined],
    ])
    expect(typesOf(Sale)).toContainEqual(['before', 'String'])
  })
})

describe('checkConverters', () => {
  it('accepts pairs of a class and a converter, and no pairs', () => {
    expect(() => checkConverters('Order', undefined)).not.toThrow()
    expect(() => checkConverters('Order', [[Map, jsonText()]])).not.toThrow()
  })

  it.each([5, null, [5], [[Map]], [['Map', jsonText()]], [[Map, {}]]])('rejects %o', (given) => {
    expect(() => checkConverters('Order', given)).toThrow(/^Order: Its converters must be pairs/)
    class Order {}
    expect(() => Entity({ converters: given as never })(Order)).toThrow(ModelError)
  })
})
