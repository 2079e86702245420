import type { Edm } from '@rowkey/data-tables'
import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('an update', () => {
  it('an entity that was read keeps Doubles and ticks through an update', async () => {
    const { people } = await openPeople()
    const rate: Edm<'Double'> = { type: 'Double', value: 5 }
    const since: Edm<'DateTime'> = { type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' }
    await people.createEntity({ ...row, rate, since, n: 1 })
    const entity = await people.getEntity<typeof row & { rate: number; n: number }>('p', 'r')
    entity.n = 2
    entity.rate = 10
    await people.updateEntity(entity, 'Replace')
    expect(await people.getEntity('p', 'r', { disableTypeConversion: true })).toMatchObject({
      rate: { type: 'Double', value: '10' },
      since: { type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' },
      n: { type: 'Int32', value: '2' },
    })
  })
})
