import type { CallEvent } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { CallWatch } from '../../../packages/rest/src/observe/call-watch.ts'
import { read as unnamed } from '../people.ts'

const read = { ...unnamed, headers: { 'x-ms-client-request-id': 'id-1' } }

const result = {
  operation: 'getEntity',
  method: 'GET',
  url: '',
  clientRequestId: 'id-1',
  location: 'primary',
  verdict: 'answered',
  startedAt: 1,
  endedAt: 2,
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

it('says in each event which call it is, which attempt, and when', () => {
  const { watch, events } = watched()
  watch.sending(read, 'primary')
  watch.retrying(10, 'why')
  watch.sending({ ...read, origin: 'https://contoso-secondary.example' }, 'secondary')
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
