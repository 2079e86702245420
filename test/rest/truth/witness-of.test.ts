import { type CallOptions, createTable, insertEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  type Ask,
  type ServiceClock,
  witnessOf,
} from '../../../packages/rest/src/truth/witness-of.ts'
import { faultyService, rowOf } from '../faulty-service.ts'

const table = 'people'

describe('witnessOf', () => {
  it('reads entities and tables, and takes what is missing for an answer', async () => {
    const { service, requests } = await faultyService([], async (rival) => {
      await perform(rival, createTable, { table })
      await perform(rival, insertEntity, rowOf(1))
    })
    const options: CallOptions = {}
    const ask: Ask = (operation, input) => perform(service, operation, input, options)
    const dates: unknown[] = []
    const clock: ServiceClock = {
      since: 7,
      get isDated() {
        return dates.length > 0
      },
      learn: ({ headers }) => void dates.push(headers.date),
    }
    const witness = witnessOf(ask, clock)
    expect([witness.since, witness.isDated]).toEqual([7, false])
    expect(await witness.entity(table, rowOf(1).key)).toMatchObject({ raw: { n: 1 } })
    expect(await witness.entity(table, rowOf(1, 'Other').key)).toBeUndefined()
    expect(witness.isDated).toBe(true)
    expect(dates).toEqual([expect.any(String), expect.any(String)])
    expect(await witness.hasTable(table)).toBe(true)
    expect(await witness.hasTable('orders')).toBe(false)
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET'])
  })
})
