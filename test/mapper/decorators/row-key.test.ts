import { modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

class Computed {
  @PartitionKey() other = ''
  state = 'WA'
  city = 'Seattle'
  @RowKey() get place(): string {
    return `${this.state};${this.city}`
  }
}

class Accessed {
  @PartitionKey() other = ''
  value = ''
  @RowKey() get key(): string {
    return this.value
  }
  set key(key: string) {
    this.value = key
  }
}

class Moved extends Accessed {}

describe('@RowKey', () => {
  it('marks the member that is the RowKey, and keeps it out of the columns', () => {
    const model = modelOf(Computed)
    expect(model.rowKey.properties).toEqual(['place'])
    expect(model.columns.map(({ property }) => property)).toEqual(['state', 'city'])
  })

  it('may stand on a getter, which is then never assigned', () => {
    expect(modelOf(Computed).computed).toEqual(['place'])
    expect(modelOf(Accessed).computed).toEqual([])
  })

  it('is inherited', () => {
    expect(modelOf(Moved).rowKey.properties).toEqual(['key'])
  })
})
