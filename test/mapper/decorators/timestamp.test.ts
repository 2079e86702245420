import { codecOf, modelOf, PartitionKey, RowKey, Timestamp } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Person {
  @PartitionKey() lastName = 'Smith'
  @RowKey() firstName = 'Jeff'
  @Timestamp() modified?: Date
}

describe('@Timestamp', () => {
  const codec = codecOf(modelOf(Person))
  const text = '2017-11-10T02:46:55.7383596Z'

  it('shows when the entity was changed, to 100 ns', () => {
    const person = codec.read({ PartitionKey: 'a', RowKey: 'b', Timestamp: text })
    expect(person.modified).toBeInstanceOf(Date)
    expect(person.modified?.toJSON()).toBe(text)
  })

  it('R-12: is taken from the ETag that a write gave', () => {
    const person = new Person()
    codec.showVersion(person, `W/"datetime'${text.replaceAll(':', '%3A')}'"`)
    expect(person.modified?.toJSON()).toBe(text)
  })

  it('stays as it is when the ETag holds no time', () => {
    const person = Object.assign(new Person(), { modified: new Date(0) })
    codec.showVersion(person, 'W/"opaque"')
    expect(person.modified).toEqual(new Date(0))
  })

  it('R-05: is never sent', () => {
    const person = Object.assign(new Person(), { modified: new Date(0) })
    expect(codec.write(person)).not.toContain('1970')
  })
})
