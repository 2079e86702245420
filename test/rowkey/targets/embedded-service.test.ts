import {
  createTable,
  OperationContext,
  perform,
  queryTables,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { embeddedService } from '../../../packages/rowkey/src/targets/embedded-service.ts'

const serviceOver = (transport: Transport) =>
  tableService({ connectionString: 'UseDevelopmentStorage=true', transport })

describe('embeddedService', () => {
  it('starts one service for concurrent first requests', async () => {
    const service = serviceOver(embeddedService({ now: Date.now }).transport)
    await Promise.all(
      ['people', 'members'].map((table) => perform(service, createTable, { table })),
    )
    const { tables } = await perform(service, queryTables, {})
    expect(tables).toEqual(['members', 'people'])
    await service.close()
  })

  it('rejects requests after it was closed', async () => {
    const service = serviceOver(embeddedService({ now: Date.now }).transport)
    await perform(service, createTable, { table: 'people' })
    await service.close()
    await expect(perform(service, queryTables, {})).rejects.toMatchObject({
      code: 'AccountClosed',
    })
  })

  it('rejects requests after it was closed, even if it never started', async () => {
    const service = serviceOver(embeddedService({ now: Date.now }).transport)
    await service.close()
    await expect(perform(service, queryTables, {})).rejects.toMatchObject({
      code: 'AccountClosed',
    })
  })

  it("passes the caller's clock to the service", async () => {
    const { transport } = embeddedService({ now: () => Date.UTC(2014, 7, 22) })
    const service = tableService({
      connectionString: 'UseDevelopmentStorage=true',
      transport,
      now: () => Date.UTC(2014, 7, 22, 1),
    })
    // An hour apart, the service takes the date for one that someone recorded; then its own is used.
    const context = new OperationContext()
    await perform(service, queryTables, {}, { context })
    expect(context.attempts.map(({ status }) => status)).toEqual([403, 200])
    await service.close()
  })
})
