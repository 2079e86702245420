import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type CallEvent, getEntity, perform } from '@rowkey/rest'
import { afterEach, expect, it } from 'vitest'
import { diagnosticsListener } from '../../../packages/rest/src/observe/diagnostics-listener.ts'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const heard: [name: string | symbol, event: CallEvent][] = []
const hear = (event: unknown, name: string | symbol): void =>
  void heard.push([name, event as CallEvent])

const names = ['sending', 'received', 'retrying', 'completed'].map(
  (type) => `rowkey:request:${type}`,
)

afterEach(() => {
  for (const name of names) unsubscribe(name, hear)
  heard.length = 0
})

it('exists only while a channel has a subscriber', () => {
  expect(diagnosticsListener()).toBeUndefined()
  for (const name of names) {
    subscribe(name, hear)
    expect(diagnosticsListener()).toBeDefined()
    unsubscribe(name, hear)
  }
  expect(diagnosticsListener()).toBeUndefined()
})

it('publishes each event in the channel of its type', async () => {
  for (const name of names) subscribe(name, hear)
  const service = serviceOver(scriptedTransport({ status: 503 }, { body: jeff.body }))
  await perform(service, getEntity, jeff)
  expect(heard.map(([name]) => name)).toEqual([
    'rowkey:request:sending',
    'rowkey:request:received',
    'rowkey:request:retrying',
    'rowkey:request:sending',
    'rowkey:request:received',
    'rowkey:request:completed',
  ])
  expect(heard[0]?.[1]).toMatchObject({ operation: 'getEntity', attempt: 1 })
})
