import { modelOf, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

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
  it('says the type a member is stored as', () => {
    expect(typeOf('points')).toBe('Int64')
  })

  it('makes a column of a getter, and of a field that a fresh instance lacks', () => {
    const properties = modelOf(Person).columns.map(({ property }) => property)
    expect(properties).toContain('fullName')
    expect(properties).toContain('points')
    expect(modelOf(Person).computed).toEqual(['fullName'])
  })

  it('takes the declared type where the compiler records it, else the value decides', () => {
    const recorded = process.env.DECORATORS === 'legacy'
    expect(['flag', 'visits', 'since', 'photo'].map(typeOf)).toEqual(
      recorded ? ['Boolean', 'Int64', 'DateTime', 'Binary'] : Array(4).fill(undefined),
    )
  })

  it('leaves text and numbers to the value in every mode: they may be one of several types', () => {
    expect(typeOf('name')).toBeUndefined()
    expect(typeOf('age')).toBeUndefined()
  })
})
