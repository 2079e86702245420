import {
  type AttemptResult,
  findEntity,
  getEntity,
  OperationContext,
  perform,
  SasCredential,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const missing = { status: 404, body: '{"odata.error":{"code":"ResourceNotFound"}}' }

describe('reportAttempt', () => {
  it('R-106: tells onAttempt of every request that goes out', async () => {
    const results: AttemptResult[] = []
    const transport = scriptedTransport({ status: 500 }, { status: 500 }, { body: jeff.body })
    const service = serviceOver(transport, { onAttempt: (result) => results.push(result) })
    await perform(service, getEntity, jeff)
    expect(results.map(({ status }) => status)).toEqual([500, 500, 200])
    expect(results.every(Object.isFrozen)).toBe(true)
  })

  it('does not count an answer that the operation expects as an error', async () => {
    const context = new OperationContext()
    const service = serviceOver(scriptedTransport(missing))
    await perform(service, findEntity, jeff, { context })
    expect(context.lastAttempt).toMatchObject({ status: 404, error: undefined })
  })

  it('records in the context of the service when the call has none', async () => {
    const context = new OperationContext()
    const service = serviceOver(scriptedTransport({ body: jeff.body }), { context })
    await perform(service, getEntity, jeff)
    expect(context.attempts).toHaveLength(1)
  })

  it('shows no SAS', async () => {
    const context = new OperationContext()
    const transport = scriptedTransport({ body: jeff.body })
    const credential = new SasCredential('sv=2019-02-02&sig=c2VjcmV0')
    const service = { ...serviceOver(transport), credential }
    await perform(service, getEntity, jeff, { context })
    expect(transport.requests[0]?.query).toContain('c2VjcmV0')
    expect(JSON.stringify(context)).not.toContain('c2VjcmV0')
  })
})
