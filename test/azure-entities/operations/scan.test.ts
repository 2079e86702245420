import Entity from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { namesOf, storedItems } from '../stored-items.ts'

const { op } = Entity
const { Items } = await storedItems()

describe('query', () => {
  it('R-145: reads one partition and returns entities', async () => {
    const { entries, continuation } = await Items.query({ id: 'a' })
    expect(namesOf({ entries })).toEqual(['item1', 'item2', 'item3'])
    expect(entries[0]).toBeInstanceOf(Items)
    expect(continuation).toBeNull()
  })

  it('R-145: needs the properties of the PartitionKey, equal to a value', async () => {
    const missing = { code: 'MissingKeyProperty' }
    await expect(Items.query({ name: 'item1' })).rejects.toMatchObject(missing)
    await expect(Items.query({ id: op.lessThan('b') })).rejects.toMatchObject(missing)
    await expect(Items.query({ id: 'a' }, { matchRow: 'exact' })).rejects.toMatchObject(missing)
  })

  it('R-143: reads one row with matchRow', async () => {
    const page = await Items.query({ id: op.equal("b'~%"), name: 'item2' }, { matchRow: 'exact' })
    expect(namesOf(page)).toEqual(['item2'])
  })
})

describe('scan', () => {
  it('R-140: reads the whole table', async () => {
    expect((await Items.scan()).entries).toHaveLength(6)
    const options = { matchPartition: 'none', handler: null } as const
    expect((await Items.scan(null, options)).entries).toHaveLength(6)
  })

  it.each([{ matchPartition: 'some' }, { matchRow: 'partial' }, { limit: 1.5 }, { handler: 5 }])(
    'rejects the options %o',
    async (options) => {
      await expect(Items.scan({}, options as object)).rejects.toMatchObject({
        code: 'InvalidScanOption',
      })
    },
  )
})

describe('a handler', () => {
  it('R-141: receives every entity, as many at once as the limit says', async () => {
    let running = 0
    let most = 0
    const seen: string[] = []
    const result = await Items.scan(
      {},
      {
        limit: 2,
        handler: async ({ name }) => {
          running += 1
          most = Math.max(most, running)
          await Promise.resolve()
          seen.push(name)
          running -= 1
        },
      },
    )
    expect(result).toBeUndefined()
    expect([seen.length, running]).toEqual([6, 0])
    expect(most).toBe(2)
  })

  it('R-141: ends the scan after all calls for a page have ended, also when one fails', async () => {
    let calls = 0
    let ended = 0
    const handler = async () => {
      calls += 1
      if (calls === 1) throw new RangeError('enough')
      await new Promise(setImmediate)
      ended += 1
    }
    await expect(Items.scan({}, { handler })).rejects.toThrow(RangeError)
    expect([calls, ended]).toEqual([6, 5])
  })

  it('R-141: ends the scan with its error', async () => {
    const handler = () => Promise.reject(new RangeError('enough'))
    await expect(Items.query({ id: 'a' }, { handler })).rejects.toThrow(RangeError)
  })
})
