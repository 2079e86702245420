import { codecOf, ETag, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Person {
  @PartitionKey() lastName = 'Smith'
  @RowKey() firstName = 'Jeff'
  @ETag() version?: string
}

describe('@ETag', () => {
  const codec = codecOf(modelOf(Person))

  it('shows the ETag that was read', () => {
    expect(codec.read({ PartitionKey: 'a', RowKey: 'b', 'odata.etag': 'W/"1"' }).version).toBe(
      'W/"1"',
    )
    expect(codec.read({ PartitionKey: 'a', RowKey: 'b' }, 'W/"2"').version).toBe('W/"2"')
  })

  it('is the condition of later writes, also when the caller assigns it', () => {
    const person = Object.assign(new Person(), { version: 'W/"3"' })
    expect(codec.etagOf(person, undefined)).toBe('W/"3"')
  })

  it('R-47: shows the ETag that a write gave', () => {
    const person = new Person()
    codec.showVersion(person, 'W/"4"')
    expect(person.version).toBe('W/"4"')
  })

  it('shows nothing when the ETag of the last write is unknown', () => {
    const person = Object.assign(new Person(), { version: 'W/"3"' })
    codec.showVersion(person, undefined)
    expect(person.version).toBeUndefined()
  })

  it('is never stored', () => {
    const person = Object.assign(new Person(), { version: 'W/"3"' })
    expect(codec.write(person)).toBe('{"PartitionKey":"Smith","RowKey":"Jeff"}')
  })
})
