import { DynamicEntity, dynamicEntityCodec } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const row = {
  PartitionKey: 'Smith',
  RowKey: 'Jeff',
  age: 5,
  Timestamp: '2026-11-20T18:00:00Z',
  'odata.etag': 'W/"1"',
}

describe('refreshDynamicEntity', () => {
  it('makes an entity what was just read', () => {
    const jeff = new DynamicEntity('Smith', 'Jeff', { shoe: 43 })
    dynamicEntityCodec.refresh(jeff, dynamicEntityCodec.read(row))
    expect(jeff).toEqual(dynamicEntityCodec.read(row))
    expect(dynamicEntityCodec.writeChanges(jeff)).toBeUndefined()
    jeff.set('age', 6)
    expect(dynamicEntityCodec.writeChanges(jeff)).toContain('"age":6')
  })

  it('leaves no ETag and no Timestamp that are not known any more', () => {
    const jeff = dynamicEntityCodec.read(row)
    dynamicEntityCodec.refresh(
      jeff,
      dynamicEntityCodec.read({ PartitionKey: 'Smith', RowKey: 'Jeff' }),
    )
    expect(jeff).toEqual(new DynamicEntity('Smith', 'Jeff'))
  })
})

describe('lacksStored of an entity that nobody declared', () => {
  it('is so when a stored property was taken away', () => {
    const jeff = dynamicEntityCodec.read(row)
    expect(dynamicEntityCodec.lacksStored(jeff)).toBe(false)
    jeff.set('shoe', 43).delete('age')
    expect(dynamicEntityCodec.lacksStored(jeff)).toBe(true)
  })

  it('is not so of what was not read, or not read whole', () => {
    expect(dynamicEntityCodec.lacksStored(new DynamicEntity('Smith', 'Jeff'))).toBe(false)
    const part = dynamicEntityCodec.readPart(row)
    part.delete('age')
    expect(dynamicEntityCodec.lacksStored(part)).toBe(false)
  })
})
