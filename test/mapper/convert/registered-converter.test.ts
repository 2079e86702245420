import { type Converter, Entity, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { registeredConverter } from '../../../packages/mapper/src/convert/registered-converter.ts'

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
  it('R-101: is found by what a fresh instance holds, and by the declared class', () => {
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
