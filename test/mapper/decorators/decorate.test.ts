import {
  connect,
  decorate,
  Entity,
  ETag,
  Ignore,
  ModelError,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
} from 'rowkey'
import { describe, expect, it } from 'vitest'

class Named {
  lastName!: string
  firstName!: string
  etag?: string
}
decorate(Named, { lastName: PartitionKey(), firstName: RowKey(), etag: ETag() })

class Customer extends Named {
  points?: bigint
  rating = 1
  selected = false
  get fullName(): string {
    return `${this.firstName} ${this.lastName}`
  }
}
decorate(Customer, Entity('people'), {
  points: [Property('Int64'), StoreAs('p')],
  rating: Property('Double'),
  selected: Ignore(),
  fullName: Property(),
})

describe('decorate', () => {
  it('maps a class as decorators do, and keeps the decorators of its base class', async () => {
    const account = connect('memory:')
    const customers = account.table(Customer)
    await customers.create()
    const given = { lastName: 'Smith', firstName: 'Jeff', points: 5n, selected: true }
    await customers.insert(Object.assign(new Customer(), given))
    const jeff = await customers.get(['Smith', 'Jeff'])
    expect(jeff).toBeInstanceOf(Customer)
    expect(jeff).toMatchObject({ points: 5n, rating: 1, selected: false })
    expect(jeff.etag).toMatch(/^W\//)
    const row = await account.table('people').get(['Smith', 'Jeff'])
    const stored = Array.from(row.properties).map(([name, { type }]) => `${name} ${type}`)
    expect(stored.sort()).toEqual(['fullName String', 'p Int64', 'rating Double'])
    await account.close()
  })

  it.each([
    ['a string', 'Int64'],
    ['null', null],
  ])('rejects %s in place of a decorator, and names the member', (_, given) => {
    class Person {
      name = ''
    }
    expect(() => decorate(Person, { name: given as never })).toThrow(ModelError)
    expect(() => decorate(Person, { name: [given as never] })).toThrow(
      /^Person\.name: .*decorators/,
    )
  })

  it('rejects a decorator without its call, and names the member', () => {
    class Person {
      name = ''
    }
    expect(() => decorate(Person, { name: PartitionKey as never })).toThrow(
      /^Person\.name: .*without a call\. Add parentheses, such as .*PartitionKey\(\)/,
    )
    expect(() => decorate(Person, Entity as never, {})).toThrow(
      /^Person: .*without a call\. Add parentheses, such as Entity\('people'\)/,
    )
  })

  it('rejects anything but a class as its first argument', () => {
    expect(() => decorate(undefined as never, { name: PartitionKey() })).toThrow(
      /^The first argument of decorate\(\) must be a class, not undefined/,
    )
  })
})
