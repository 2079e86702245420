import { insertEntity, perform, tableService } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'

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
