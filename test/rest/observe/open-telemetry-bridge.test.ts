import {
  type CallListener,
  findEntity,
  getEntity,
  insertEntity,
  openTelemetryBridge,
  perform,
  SasCredential,
  type SpanAttributes,
  TransportError,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { errorCodeOf } from '../../../packages/rest/src/observe/open-telemetry-bridge.ts'
import { etag, jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

interface Span {
  name: string
  kind: number
  startTime: number
  attributes: Record<string, string | number>
  events: [name: string, attributes: SpanAttributes, at: number][]
  status?: { code: number; message: string }
  endedAt?: number
}

function tracing(): { spans: Span[]; onEvent: CallListener } {
  const spans: Span[] = []
  const onEvent = openTelemetryBridge({
    startSpan(name, { kind, startTime, attributes }) {
      const span: Span = { name, kind, startTime, attributes: { ...attributes }, events: [] }
      spans.push(span)
      return {
        setAttributes: (more) => Object.assign(span.attributes, more),
        addEvent: (...event) => span.events.push(event),
        setStatus: (status) => Object.assign(span, { status }),
        end: (endedAt) => Object.assign(span, { endedAt }),
      }
    },
  })
  return { spans, onEvent }
}

const failure = (status: number, code: string) => ({
  status,
  body: `{"odata.error":{"code":"${code}","message":{"value":"No."}}}`,
})

describe('openTelemetryBridge', () => {
  it('makes one span per call, whatever the number of attempts', async () => {
    const { spans, onEvent } = tracing()
    const transport = scriptedTransport(
      { status: 503 },
      { body: jeff.body, headers: { 'x-ms-request-id': 'r-1' } },
    )
    await perform(serviceOver(transport, { onEvent }), getEntity, jeff)
    expect(spans).toStrictEqual([
      {
        name: 'getEntity',
        kind: 2,
        startTime: START,
        attributes: {
          'db.operation.name': 'getEntity',
          'http.request.method': 'GET',
          'url.full':
            "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')",
          'server.address': 'contoso.table.core.windows.net',
          'az.client_request_id': 'id-1',
          'http.response.status_code': 200,
          'az.service_request_id': 'r-1',
          'rowkey.location': 'primary',
          'rowkey.attempts': 2,
        },
        events: [
          ['retry', { 'error.type': 'Http503', 'rowkey.attempt': 1, 'rowkey.delay': 250 }, START],
        ],
        endedAt: START,
      },
    ])
  })

  it.each([
    [
      'a missing entity that was asked for',
      findEntity,
      failure(404, 'ResourceNotFound'),
      undefined,
    ],
    ['a missing entity', getEntity, failure(404, 'ResourceNotFound'), 'ResourceNotFound'],
    [
      'an entity that is there',
      insertEntity,
      failure(409, 'EntityAlreadyExists'),
      'EntityAlreadyExists',
    ],
    [
      'a write that came too late',
      updateEntity,
      failure(412, 'ConditionNotMet'),
      'ConditionNotMet',
    ],
  ] as const)('reports no error for %s', async (_, operation, response, code) => {
    const { spans, onEvent } = tracing()
    const service = serviceOver(scriptedTransport(response), { onEvent })
    await perform<typeof jeff & { etag: string }, unknown>(service, operation, {
      ...jeff,
      etag,
    }).catch(() => {})
    expect(spans[0]?.status).toBeUndefined()
    expect(spans[0]?.attributes['rowkey.code']).toBe(code)
  })

  it('reports no error for an abort', async () => {
    const { spans, onEvent } = tracing()
    const service = serviceOver(scriptedTransport({ body: jeff.body }), { onEvent })
    await perform(service, getEntity, jeff, { signal: AbortSignal.abort() }).catch(() => {})
    expect(spans[0]).toMatchObject({ attributes: { 'rowkey.code': 'Aborted' }, endedAt: START })
    expect(spans[0]?.status).toBeUndefined()
  })

  it('marks a failed call with the code of its error', async () => {
    const { spans, onEvent } = tracing()
    const service = serviceOver(scriptedTransport(failure(400, 'InvalidInput')), { onEvent })
    await perform(service, getEntity, jeff).catch(() => {})
    expect(spans[0]).toMatchObject({
      status: { code: 2, message: 'InvalidInput' },
      attributes: { 'error.type': 'InvalidInput', 'http.response.status_code': 400 },
    })
  })

  it('separates the spans of two calls', async () => {
    const { spans, onEvent } = tracing()
    const service = serviceOver(scriptedTransport({ body: jeff.body }), { onEvent })
    await Promise.all([perform(service, getEntity, jeff), perform(service, getEntity, jeff)])
    expect(spans.map(({ attributes }) => attributes['az.client_request_id'])).toEqual([
      'id-1',
      'id-2',
    ])
    expect(spans.every(({ endedAt }) => endedAt === START)).toBe(true)
  })

  it('shows no SAS', async () => {
    const { spans, onEvent } = tracing()
    const credential = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const service = {
      ...serviceOver(scriptedTransport({ body: jeff.body }), { onEvent }),
      credential,
    }
    await perform(service, getEntity, jeff)
    expect(JSON.stringify(spans)).not.toContain('c2VjcmV0')
  })
})

it.each([
  [
    new TransportError({
      code: 'ConnectionFailed',
      message: 'x',
      failure: 'dns',
      mayHaveApplied: false,
    }),
    'ConnectionFailed',
  ],
  [new TypeError('x'), 'TypeError'],
  ['x', 'unknown'],
  [undefined, 'unknown'],
])('names %s %s', (error, code) => {
  expect(errorCodeOf(error)).toBe(code)
})

it.each([undefined, null, {}, { getTracer() {}, getMeter() {} }])('rejects %o', (given) => {
  expect(() => openTelemetryBridge(given as never)).toThrow(
    expect.objectContaining({
      code: 'InvalidOptionValue',
      message: expect.stringMatching(/^openTelemetryBridge needs a/),
    }),
  )
})
