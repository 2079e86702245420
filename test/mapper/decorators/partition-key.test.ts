import { modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Computed {
  @RowKey() other = ''
  state = 'WA'
  city = 'Seattle'
  @PartitionKey() get place(): string {
    return `${this.state};${this.city}`
  }
}

class Accessed {
  @RowKey() other = ''
  value = ''
  @PartitionKey() get key(): string {
    return this.value
  }
  set key(key: string) {
    this.value = key
  }
}

class Moved extends Accessed {}

describe('@PartitionKey', () => {
  it('marks the member that is the PartitionKey, and keeps it out of the columns', () => {
    const model = modelOf(Computed)
    expect(model.partitionKey.properties).toEqual(['place'])
    expect(model.columns.map(({ property }) => property)).toEqual(['state', 'city'])
  })

  it('may stand on a getter, which is then never assigned', () => {
    expect(modelOf(Computed).computed).toEqual(['place'])
    expect(modelOf(Accessed).computed).toEqual([])
  })

  it('is inherited', () => {
    expect(modelOf(Moved).partitionKey.properties).toEqual(['key'])
  })
})
