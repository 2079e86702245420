import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('a selection', () => {
  it('selects keys and the timestamp by their names in the client', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, n: 1, m: 2 })
    const select = ['partitionKey', 'rowKey', 'timestamp', 'etag', 'n']
    const whole = { ...row, timestamp: expect.any(String), etag: expect.any(String), n: 1 }
    const read = await people.getEntity('p', 'r', { queryOptions: { select } })
    expect(read).toEqual({ ...whole, 'odata.metadata': expect.any(String) })
    expect(await people.listEntities({ queryOptions: { select } }).next()).toEqual({
      done: false,
      value: whole,
    })
    const { value } = await people.listEntities({ queryOptions: { select: ['n'] } }).next()
    expect(value).toEqual({ etag: expect.any(String), n: 1 })
  })
})
