import { type CallOptions, createTable, insertEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { type Ask, witnessOf } from '../../../packages/rest/src/truth/witness-of.ts'
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
    const witness = witnessOf(ask, 7)
    expect(witness.since).toBe(7)
    expect(await witness.entity(table, rowOf(1).key)).toMatchObject({ raw: { n: 1 } })
    expect(await witness.entity(table, rowOf(1, 'Other').key)).toBeUndefined()
    expect(await witness.hasTable(table)).toBe(true)
    expect(await witness.hasTable('orders')).toBe(false)
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET'])
  })
})
