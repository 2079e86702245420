import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { storedPoints } from './stored-points.ts'

const padded = (count: number) =>
  Array.from({ length: count }, (_, id) => String(id).padStart(6, '0'))

describe('the rows that a bulk write depends on', () => {
  it('are read again when another program changes them before their transaction', async () => {
    const ids = padded(300)
    const { upsert, before, others } = await storedPoints(ids)
    const key = { partitionKey: 'm', rowKey: 'point_000250' }
    const changed = new DynamicEntity(key.partitionKey, key.rowKey, { x: 5 })
    let isChanged = false
    const { requests } = await upsert(ids, async () => {
      if (!isChanged) await others.replace(changed, { etag: '*' })
      isChanged = true
    })
    // The third transaction fails once, and reads its rows anew.
    expect(requests).toBe(1 + 3 + 1 + 1)
    expect(before.filter((x) => x === 5)).toHaveLength(1)
  })

  it('are what the first change of a row stores for the second one', async () => {
    const ids = padded(120)
    const { upsert, before } = await storedPoints(ids)
    const { requests } = await upsert([...ids, '000110'])
    expect(before).toHaveLength(121)
    expect(requests).toBe(1 + 2 + 1 + 1)
  })

  it('may be missing', async () => {
    const { upsert, before } = await storedPoints(padded(50))
    const { requests } = await upsert(padded(100))
    expect(requests).toBe(1 + 1)
    expect(before).toHaveLength(50)
  })

  it('are read one by one when the service ends the page of a range before its first row', async () => {
    const ids = ['', ...padded(20)]
    const { upsert, before, faults } = await storedPoints(ids)
    faults.add({ operation: 'queryEntities', fault: { kind: 'cut page', rows: 0 } })
    const { requests } = await upsert(ids)
    expect(requests).toBe(1 + 1 + ids.length)
    expect(before).toHaveLength(ids.length)
  })
})
