import { type CallEvent, openTelemetryMetrics, TransportError } from '@rowkey/rest'
import { expect, it } from 'vitest'

function metering() {
  const records: unknown[] = []
  const onEvent = openTelemetryMetrics({
    createHistogram: (name) => ({ record: (...record) => records.push([name, ...record]) }),
    createCounter: (name) => ({ add: (...record) => records.push([name, ...record]) }),
  })
  return { records, onEvent }
}

const moment = (at: number) => ({
  operation: 'insertEntity',
  method: 'POST',
  url: 'https://contoso.table.core.windows.net/people',
  location: 'primary' as const,
  clientRequestId: 'id',
  attempt: 1,
  at,
})

const call = {
  'db.operation.name': 'insertEntity',
  'server.address': 'contoso.table.core.windows.net',
}

it('records the seconds of a whole call, and its retries', () => {
  const { records, onEvent } = metering()
  const error = new TransportError({ message: 'broken', mayHaveApplied: true })
  const events: CallEvent[] = [
    { type: 'sending', ...moment(1_000) },
    { type: 'retrying', delay: 100, error, ...moment(1_200) },
    { type: 'sending', ...moment(1_300) },
    { type: 'completed', ...moment(3_500) },
  ]
  for (const event of events) onEvent(event)
  expect(records).toEqual([
    ['rowkey.retries', 1, { ...call, 'error.type': 'TransportFailed' }],
    ['db.client.operation.duration', 2.5, call],
  ])
})

it('counts failures by code, and an abort as an outcome', () => {
  const { records, onEvent } = metering()
  onEvent({ type: 'completed', error: new TypeError('x'), ...moment(5) })
  expect(records).toEqual([
    ['db.client.operation.duration', 0, { ...call, 'error.type': 'TypeError' }],
  ])
})

it.each([undefined, null, {}, { getTracer() {}, getMeter() {} }])('rejects %o', (given) => {
  expect(() => openTelemetryMetrics(given as never)).toThrow(
    expect.objectContaining({
      code: 'InvalidOptionValue',
      message: expect.stringMatching(/^openTelemetryMetrics needs a/),
    }),
  )
})
