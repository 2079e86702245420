import {
  decorate,
  Ignore,
  ModelError,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { objectsOf } from '../object-codec.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Property('Int64') points?: bigint
  @Property() flag?: boolean
  @Property() visits?: bigint
  @Property() since?: Date
  @Property() photo?: Uint8Array
  @Property() name?: string
  @Property() age?: number
  @Property() get fullName(): string {
    return `${this.firstName} ${this.lastName}`
  }
}

const typeOf = (property: string) =>
  modelOf(Person).columns.find((column) => column.property === property)?.type

describe('@Property', () => {
  it('sets the stored type of a member', () => {
    expect(typeOf('points')).toBe('Int64')
  })

  it('makes a column of a getter, and of a field that a fresh instance does not have', () => {
    const properties = modelOf(Person).columns.map(({ property }) => property)
    expect(properties).toContain('fullName')
    expect(properties).toContain('points')
    expect(modelOf(Person).computed).toEqual(['fullName'])
  })

  it('uses the declared type where the compiler records it, and the type of the value elsewhere', () => {
    const recorded = process.env.DECORATORS === 'legacy'
    expect(['flag', 'visits', 'since', 'photo'].map(typeOf)).toEqual(
      recorded ? ['Boolean', 'Int64', 'DateTime', 'Binary'] : Array(4).fill(undefined),
    )
  })

  it('uses the type of the value for text and numbers, whatever the compiler records', () => {
    expect(typeOf('name')).toBeUndefined()
    expect(typeOf('age')).toBeUndefined()
  })
})

class Named {
  @PartitionKey() lastName = 'Smith'
  @RowKey() firstName = 'Jeff'
  @StoreAs('cea') customerEmailAddress = ''
}

describe('@StoreAs', () => {
  const codec = objectsOf(modelOf(Named))

  it('R-98: stores a member under another name', () => {
    const customer = Object.assign(new Named(), { customerEmailAddress: 'jeff@contoso.com' })
    expect(JSON.parse(codec.write(customer))).toEqual({
      PartitionKey: 'Smith',
      RowKey: 'Jeff',
      cea: 'jeff@contoso.com',
    })
  })

  it('R-98: rejects two names for one member', () => {
    class Twice {
      @PartitionKey() a = ''
      @RowKey() b = ''
      @StoreAs('one') @StoreAs('two') c = ''
    }
    class Same {
      @PartitionKey() a = ''
      @RowKey() b = ''
      @StoreAs('one') @StoreAs('one') c = ''
    }
    expect(() => modelOf(Twice)).toThrow(ModelError)
    expect(() => modelOf(Twice)).toThrow(
      "Twice.c: @StoreAs gives it two stored names, 'one' and 'two'. Keep one.",
    )
    expect(modelOf(Same).columns).toMatchObject([{ name: 'one' }])
  })

  it('R-98: rejects two names for a getter and its setter', () => {
    class Twice {
      @PartitionKey() a = ''
      @RowKey() b = ''
      @StoreAs('one') get c(): string {
        return this.a
      }
      set c(value: string) {
        this.a = value
      }
    }
    // TypeScript rejects decorators on both; other compilers take them.
    decorate(Twice, { c: StoreAs('two') })
    expect(() => modelOf(Twice)).toThrow(
      /^Twice\.c: @StoreAs gives it two stored names, '(one' and 'two|two' and 'one)'\./,
    )
  })

  it('R-98: lets a subclass give another name', () => {
    class Renamed extends Named {
      @StoreAs('mail') override customerEmailAddress = ''
    }
    expect(modelOf(Renamed).columns).toMatchObject([{ name: 'mail' }])
  })

  it('R-98: reads a member only from its stored name', () => {
    const raw = { PartitionKey: 'a', RowKey: 'b', cea: 'x', customerEmailAddress: 'y' }
    expect(codec.read(raw).customerEmailAddress).toBe('x')
  })
})

class Cached {
  @PartitionKey() customerGroup = 'retail'
  @RowKey() key = '0001'
  @Ignore() selected = false
  @Ignore() cache = new Map<string, string>()
  /** A friendlier view of the key. */
  @Ignore() get customerId(): number {
    return Number(this.key)
  }
  set customerId(id: number) {
    this.key = String(id).padStart(4, '0')
  }
}

describe('@Ignore', () => {
  const codec = objectsOf(modelOf(Cached))

  it('R-99: keeps a member from being stored', () => {
    const customer = Object.assign(new Cached(), { selected: true, customerId: 12 })
    expect(codec.write(customer)).toBe('{"PartitionKey":"retail","RowKey":"0012"}')
  })

  it('R-99: keeps a member from being read', () => {
    const raw = { PartitionKey: 'retail', RowKey: '0007', selected: true, customerId: 99 }
    const customer = codec.read(raw)
    expect(customer.selected).toBe(false)
    expect(customer.customerId).toBe(7)
  })

  it('accepts a member of any type', () => {
    expect(modelOf(Cached).ignored).toEqual(
      expect.arrayContaining(['selected', 'cache', 'customerId']),
    )
  })
})
