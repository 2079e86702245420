import type { CallEvent } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { CallWatch } from '../../../packages/rest/src/observe/call-watch.ts'
import { read } from '../people.ts'

const result = {
  operation: 'getEntity',
  method: 'GET',
  url: '',
  clientRequestId: 'id-1',
  startedAt: 1,
  verdict: 'not applied' as const,
  location: 'primary' as const,
  endedAt: 2,
}

function watched(): { watch: CallWatch; events: CallEvent[] } {
  const events: CallEvent[] = []
  const watch = new CallWatch({
    operation: 'getEntity',
    request: { ...read, headers: { 'x-ms-client-request-id': 'id-1' } },
    listeners: [(event) => events.push(event)],
    now: () => 5,
  })
  return { watch, events }
}

it('says in each event which call it is, which attempt, and when', () => {
  const { watch, events } = watched()
  watch.sending()
  watch.retrying(10, 'why')
  watch.sending()
  watch.completed()
  const facts = {
    operation: 'getEntity',
    method: 'GET',
    url: "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')",
    clientRequestId: 'id-1',
    at: 5,
  }
  expect(events).toStrictEqual([
    { ...facts, type: 'sending', attempt: 1 },
    { ...facts, type: 'retrying', attempt: 1, delay: 10, error: 'why' },
    { ...facts, type: 'sending', attempt: 2 },
    { ...facts, type: 'completed', attempt: 2 },
  ])
  expect(events.every(Object.isFrozen)).toBe(true)
})

it('tells of an answer only when one has come', () => {
  const { watch, events } = watched()
  watch.received(result)
  watch.received({ ...result, status: 503 })
  expect(events).toMatchObject([{ type: 'received', result: { status: 503 } }])
})

it('counts no attempt when the call ends before the first', () => {
  const { watch, events } = watched()
  watch.completed('aborted')
  expect(events).toMatchObject([{ type: 'completed', attempt: 0, error: 'aborted' }])
})
