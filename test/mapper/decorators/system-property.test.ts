import { ETag, modelOf, PartitionKey, RowKey, Timestamp } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { objectsOf } from '../object-codec.ts'

class ComputedPartition {
  @RowKey() other = ''
  state = 'WA'
  city = 'Seattle'
  @PartitionKey() get place(): string {
    return `${this.state};${this.city}`
  }
}

class ComputedRow {
  @PartitionKey() other = ''
  state = 'WA'
  city = 'Seattle'
  @RowKey() get place(): string {
    return `${this.state};${this.city}`
  }
}

class AccessedPartition {
  @RowKey() other = ''
  value = ''
  @PartitionKey() get key(): string {
    return this.value
  }
  set key(key: string) {
    this.value = key
  }
}

class AccessedRow {
  @PartitionKey() other = ''
  value = ''
  @RowKey() get key(): string {
    return this.value
  }
  set key(key: string) {
    this.value = key
  }
}

class InheritedPartition extends AccessedPartition {}
class InheritedRow extends AccessedRow {}

describe.each([
  ['PartitionKey', 'partitionKey', ComputedPartition, AccessedPartition, InheritedPartition],
  ['RowKey', 'rowKey', ComputedRow, AccessedRow, InheritedRow],
] as const)('@%s', (_name, half, Computed, Accessed, Inherited) => {
  it('makes its member the key, and not a column', () => {
    const model = modelOf<object>(Computed)
    expect(model[half].properties).toEqual(['place'])
    expect(model.columns.map(({ property }) => property)).toEqual(['state', 'city'])
  })

  it('accepts a getter, which is never assigned', () => {
    expect(modelOf<object>(Computed).computed).toEqual(['place'])
    expect(modelOf<object>(Accessed).computed).toEqual([])
  })

  it('is inherited', () => {
    expect(modelOf<object>(Inherited)[half].properties).toEqual(['key'])
  })
})

class Versioned {
  @PartitionKey() lastName = 'Smith'
  @RowKey() firstName = 'Jeff'
  @ETag() version?: string
}

describe('@ETag', () => {
  const codec = objectsOf(modelOf(Versioned))

  it('shows the ETag of a read', () => {
    expect(codec.read({ PartitionKey: 'a', RowKey: 'b', 'odata.etag': 'W/"1"' }).version).toBe(
      'W/"1"',
    )
    expect(codec.read({ PartitionKey: 'a', RowKey: 'b' }, 'W/"2"').version).toBe('W/"2"')
  })

  it('is the condition of later writes, also when the caller assigned it', () => {
    const person = Object.assign(new Versioned(), { version: 'W/"3"' })
    expect(codec.etagOf(person, undefined)).toBe('W/"3"')
  })

  it('R-47: shows the ETag of a write', () => {
    const person = new Versioned()
    codec.showVersion(person, 'W/"4"')
    expect(person.version).toBe('W/"4"')
  })

  it('shows nothing when the ETag of the last write is unknown', () => {
    const person = Object.assign(new Versioned(), { version: 'W/"3"' })
    codec.showVersion(person, undefined)
    expect(person.version).toBeUndefined()
  })

  it('is never stored', () => {
    const person = Object.assign(new Versioned(), { version: 'W/"3"' })
    expect(codec.write(person)).toBe('{"PartitionKey":"Smith","RowKey":"Jeff"}')
  })
})

class Dated {
  @PartitionKey() lastName = 'Smith'
  @RowKey() firstName = 'Jeff'
  @Timestamp() modified?: Date
}

describe('@Timestamp', () => {
  const codec = objectsOf(modelOf(Dated))
  const text = '2017-11-10T02:46:55.7383596Z'

  it('shows when the entity was changed, to 100 ns', () => {
    const person = codec.read({ PartitionKey: 'a', RowKey: 'b', Timestamp: text })
    expect(person.modified).toBeInstanceOf(Date)
    expect(person.modified?.toJSON()).toBe(text)
  })

  it('R-12: is read from the ETag of a write', () => {
    const person = new Dated()
    codec.showVersion(person, `W/"datetime'${text.replaceAll(':', '%3A')}'"`)
    expect(person.modified?.toJSON()).toBe(text)
  })

  it('does not change when the ETag contains no time', () => {
    const person = Object.assign(new Dated(), { modified: new Date(0) })
    codec.showVersion(person, 'W/"opaque"')
    expect(person.modified).toEqual(new Date(0))
  })

  it('R-05: is never sent', () => {
    const person = Object.assign(new Dated(), { modified: new Date(0) })
    expect(codec.write(person)).not.toContain('1970')
  })
})
