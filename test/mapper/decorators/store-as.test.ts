import {
  codecOf,
  decorate,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
  StoreAs,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Customer {
  @PartitionKey() lastName = 'Smith'
  @RowKey() firstName = 'Jeff'
  @StoreAs('cea') customerEmailAddress = ''
}

describe('@StoreAs', () => {
  const codec = codecOf(modelOf(Customer))

  it('R-98: stores a member under another name', () => {
    const customer = Object.assign(new Customer(), { customerEmailAddress: 'jeff@contoso.com' })
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
      "Twice.c: @StoreAs names it 'one' and 'two', and a property has one stored name. Keep one.",
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
      /^Twice\.c: @StoreAs names it '(one' and 'two|two' and 'one)', and a property has one stored name\./,
    )
  })

  it('R-98: lets a subclass give another name', () => {
    class Renamed extends Customer {
      @StoreAs('mail') override customerEmailAddress = ''
    }
    expect(modelOf(Renamed).columns).toMatchObject([{ name: 'mail' }])
  })

  it('R-98: reads it back from there, and from nowhere else', () => {
    const raw = { PartitionKey: 'a', RowKey: 'b', cea: 'x', customerEmailAddress: 'y' }
    expect(codec.read(raw).customerEmailAddress).toBe('x')
  })
})
