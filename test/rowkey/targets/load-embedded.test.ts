import { createTable, OperationContext, perform, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { embeddedService } from '../../../packages/rowkey/src/targets/embedded-service.ts'
import { loadEmbedded } from '../../../packages/rowkey/src/targets/load-embedded.ts'

const serviceOver = (transport: Transport) =>
  tableService({ connectionString: 'UseDevelopmentStorage=true', transport })

describe('loadEmbedded', () => {
  it('fails a call at once when the embedded service cannot be loaded', async () => {
    const cause = new Error('A dynamic import callback was not specified.')
    const load = () => loadEmbedded(() => Promise.reject(cause))
    const { transport } = embeddedService({ now: Date.now }, load)
    const service = serviceOver(transport)
    const context = new OperationContext()
    const input = { table: 'people' }
    const failure = perform(service, createTable, input, { context })
    await expect(failure).rejects.toMatchObject({ code: 'MissingDependency', cause })
    expect(context.attempts).toHaveLength(1)
  })
})
