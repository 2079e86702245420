import {
  type CallEvent,
  findEntity,
  getEntity,
  insertEntity,
  OperationContext,
  perform,
  SasCredential,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { urlOf } from '../../../packages/rest/src/http/transport.ts'
import { CallWatch } from '../../../packages/rest/src/observe/call-watch.ts'
import { jeff, read as unnamed } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const read = { ...unnamed, headers: { 'x-ms-client-request-id': 'id-1' } }

const attempt = {
  request: read,
  location: 'primary',
  startedAt: 1,
  sent: read,
  response: undefined,
  error: undefined,
} as const

function watched(): { watch: CallWatch; events: CallEvent[] } {
  const events: CallEvent[] = []
  const watch = new CallWatch({
    operation: 'getEntity',
    request: read,
    listeners: [(event) => events.push(event)],
    now: () => 5,
  })
  return { watch, events }
}

it('names call, attempt and time in each event', () => {
  const { watch, events } = watched()
  watch.sending({ request: read, location: 'primary' })
  watch.retrying(10, 'why')
  const moved = { ...read, origin: 'https://contoso-secondary.example' }
  watch.sending({ request: moved, location: 'secondary' })
  watch.completed()
  const facts = {
    operation: 'getEntity',
    method: 'GET',
    url: "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')",
    location: 'primary',
    clientRequestId: 'id-1',
    at: 5,
  }
  const second = {
    url: "https://contoso-secondary.example/people(PartitionKey='Smith',RowKey='Jeff')",
    location: 'secondary',
  }
  expect(events).toStrictEqual([
    { ...facts, type: 'sending', attempt: 1 },
    { ...facts, type: 'retrying', attempt: 1, delay: 10, error: 'why' },
    { ...facts, ...second, type: 'sending', attempt: 2 },
    { ...facts, ...second, type: 'completed', attempt: 2 },
  ])
  expect(events.every(Object.isFrozen)).toBe(true)
})

it('reports a response only when one has arrived', () => {
  const { watch, events } = watched()
  watch.ended(attempt, 'not applied')
  const response = { status: 503, headers: {}, body: '' }
  watch.ended({ ...attempt, response }, 'not applied')
  expect(events).toMatchObject([{ type: 'received', result: { status: 503 } }])
})

it('counts no attempt for a call that ends before the first', () => {
  const { watch, events } = watched()
  watch.completed('aborted')
  expect(events).toMatchObject([{ type: 'completed', attempt: 0, error: 'aborted' }])
})

const ok = { body: jeff.body }
const missing = { status: 404, body: '{"odata.error":{"code":"ResourceNotFound"}}' }
const refused = new TransportError({
  code: 'ConnectionFailed',
  message: 'refused',
  failure: 'refused',
  mayHaveApplied: false,
})

function listening(): { events: CallEvent[]; onEvent: (event: CallEvent) => void } {
  const events: CallEvent[] = []
  return { events, onEvent: (event) => events.push(event) }
}

const typesOf = (events: readonly CallEvent[]) => events.map(({ type }) => type)

describe('the events of a call', () => {
  it('R-105: are sending, received, retrying and completed, in this order', async () => {
    const { events, onEvent } = listening()
    const transport = scriptedTransport({ status: 503 }, refused, ok)
    await perform(serviceOver(transport, { onEvent }), getEntity, jeff)
    expect(typesOf(events)).toEqual([
      'sending',
      'received',
      'retrying',
      'sending',
      'retrying',
      'sending',
      'received',
      'completed',
    ])
    expect(events.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 2, 3, 3, 3])
    expect(new Set(events.map(({ clientRequestId }) => clientRequestId))).toEqual(new Set(['id-1']))
  })

  it('name the location of each attempt', async () => {
    const { events, onEvent } = listening()
    const transport = scriptedTransport({ status: 503 }, ok)
    const service = serviceOver(transport, { onEvent, locationMode: 'primaryThenSecondary' })
    await perform(service, getEntity, jeff)
    const sent = events.filter(({ type }) => type === 'sending')
    expect(sent.map(({ location }) => location)).toEqual(['primary', 'secondary'])
    expect(sent.map(({ url }) => new URL(url).hostname)).toEqual([
      'contoso.table.core.windows.net',
      'contoso-secondary.table.core.windows.net',
    ])
  })

  it('say why an attempt is retried, and after what wait', async () => {
    const { events, onEvent } = listening()
    await perform(serviceOver(scriptedTransport(refused, ok), { onEvent }), getEntity, jeff)
    expect(events[1]).toMatchObject({ type: 'retrying', error: refused, delay: 250 })
  })

  it('end with the error of the call', async () => {
    const { events, onEvent } = listening()
    const service = serviceOver(scriptedTransport(missing), { onEvent })
    const error = await perform(service, getEntity, jeff).catch((reason: unknown) => reason)
    expect(events.at(-1)).toMatchObject({ type: 'completed', error })
  })

  it('end without an error when the operation expects the response', async () => {
    const { events, onEvent } = listening()
    await perform(serviceOver(scriptedTransport(missing), { onEvent }), findEntity, jeff)
    expect(events.at(-1)).not.toHaveProperty('error')
  })

  it('end even if nothing was sent', async () => {
    const { events, onEvent } = listening()
    const service = serviceOver(scriptedTransport(ok), { onEvent })
    const signal = AbortSignal.abort()
    await perform(service, getEntity, jeff, { signal }).catch(() => {})
    expect(events).toMatchObject([{ type: 'completed', attempt: 0, error: { code: 'Aborted' } }])
  })

  it('contain no sending event for a request that the credential rejects', async () => {
    const { events, onEvent } = listening()
    const credential = new SasCredential(
      'sv=2019-02-02&sp=a&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const transport = scriptedTransport(ok)
    const context = new OperationContext()
    const service = { ...serviceOver(transport, { onEvent }), credential }
    const call = perform(service, getEntity, jeff, { context })
    await expect(call).rejects.toMatchObject({ code: 'OutsideSasScope' })
    expect(events).toMatchObject([{ type: 'completed', attempt: 0 }])
    expect([transport.requests, context.attempts]).toEqual([[], []])
  })

  it("go to the listeners of the call's context and of the service", async () => {
    const [onCall, onService] = [listening(), listening()]
    const service = serviceOver(scriptedTransport(ok), { onEvent: onService.onEvent })
    const context = new OperationContext({ onEvent: onCall.onEvent })
    await perform(service, getEntity, jeff, { context })
    expect(typesOf(onCall.events)).toEqual(['sending', 'received', 'completed'])
    expect(onService.events).toEqual(onCall.events)
  })

  it('do not break a call whose listener throws', async () => {
    const onEvent = () => {
      throw new Error('boom')
    }
    const service = serviceOver(scriptedTransport(ok), { onEvent, onAttempt: onEvent })
    await expect(perform(service, getEntity, jeff)).resolves.toBeDefined()
  })

  it('show no SAS', async () => {
    const { events, onEvent } = listening()
    const credential = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const service = { ...serviceOver(scriptedTransport(ok), { onEvent }), credential }
    await perform(service, getEntity, jeff)
    expect(JSON.stringify(events)).not.toContain('c2VjcmV0')
  })
})

it.each([
  ['', "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')"],
  [
    '$select=age',
    "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')?$select=age",
  ],
])('writes the query %j at the end of the URL', (query, url) => {
  expect(urlOf({ ...read, query })).toBe(url)
})

it('the first calls of a program report all events to listeners and loggers', async () => {
  const lines: string[] = []
  const logger = { debug: (line: string) => lines.push(line), warn: () => {} }
  const events: string[] = []
  const service = tableService({
    connectionString: 'UseDevelopmentStorage=true',
    transport: scriptedTransport({ status: 204, headers: { etag: 'W/"1"' } }),
    onEvent: ({ type }) => events.push(type),
    logger,
  })
  await Promise.all([perform(service, insertEntity, jeff), perform(service, insertEntity, jeff)])
  expect(events.toSorted()).toEqual([
    'completed',
    'completed',
    'received',
    'received',
    'sending',
    'sending',
  ])
  expect(lines).toHaveLength(2)
})
