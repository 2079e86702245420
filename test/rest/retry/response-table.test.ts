import { readFileSync } from 'node:fs'
import {
  conflictOf,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  isOverloaded,
  linearRetry,
  noRetry,
  OperationContext,
  perform,
  type TableService,
  TransportError,
  updateEntity,
} from '@rowkey/rest'
import { expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

/** What comes of an attempt, by its row in the table: a turn for a single request, and for a transaction. */
type Row = readonly [single: Turn, together: (index: number) => Turn]

function rejected(status: number, code: string): Row {
  const body = JSON.stringify({ 'odata.error': { code, message: { value: code } } })
  const response = { status, body: code === '' ? '' : body }
  // The service rejects a transaction as a whole, or names the change that it rejects.
  const isOfChange = [404, 409, 412].includes(status)
  return [response, isOfChange ? (index) => batchOf(status, code, index) : () => response]
}

function batchOf(status: number, code: string, index: number): Turn {
  const message = { lang: 'en-US', value: `${index}:${code}` }
  const body = [
    '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c',
    'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n',
    `HTTP/1.1 ${status} No\r\nContent-Type: application/json\r\n`,
    JSON.stringify({ 'odata.error': { code, message } }),
    '--c--\r\n--b--\r\n',
  ].join('\r\n')
  return { status: 202, headers: { 'content-type': 'multipart/mixed; boundary=b' }, body }
}

const same = (turn: Turn): Row => [turn, () => turn]
const failure = (mayHaveApplied: boolean, code?: 'AttemptTimeout') =>
  new TransportError({ message: 'failed', mayHaveApplied, ...(code && { code }) })

const rows: Readonly<Record<string, Row>> = {
  'no connection': same(failure(false)),
  'no response': same(failure(true)),
  'no response in time': same(failure(true, 'AttemptTimeout')),
  '2xx of a machine in between': same({ status: 203, body: '<html>' }),
  '3xx': same({ status: 302 }),
  '400 `InvalidInput`': rejected(400, 'InvalidInput'),
  '403 `AuthorizationFailure`': rejected(403, 'AuthorizationFailure'),
  '404 `ResourceNotFound`': rejected(404, 'ResourceNotFound'),
  '404 `TableNotFound`': rejected(404, 'TableNotFound'),
  '408 with any code': rejected(408, ''),
  '409 `EntityAlreadyExists`': rejected(409, 'EntityAlreadyExists'),
  '409 `TableBeingDeleted`': rejected(409, 'TableBeingDeleted'),
  '412 `UpdateConditionNotSatisfied`': rejected(412, 'UpdateConditionNotSatisfied'),
  '413 `RequestBodyTooLarge`': rejected(413, 'RequestBodyTooLarge'),
  '429 `TooManyRequests`': rejected(429, 'TooManyRequests'),
  '500 `InternalError`': rejected(500, 'InternalError'),
  '500 `OperationTimedOut`': rejected(500, 'OperationTimedOut'),
  '501, 505': rejected(501, 'NotImplemented'),
  '502, 504': rejected(502, ''),
  '503 `ServerBusy`': rejected(503, 'ServerBusy'),
  '503 without this code': rejected(503, ''),
}

type Send = (service: TableService, context: OperationContext) => Promise<unknown>

const change = { operation: updateEntity, input: { ...jeff, etag: 'W/"1"' } }
const columns: readonly (readonly [place: number | undefined, send: Send])[] = [
  [undefined, (service, context) => perform(service, getEntity, jeff, { context })],
  [undefined, (service, context) => perform(service, updateEntity, change.input, { context })],
  // The first change is the marker.
  [
    1,
    (service, context) =>
      perform(service, updateEntity, change.input, { context, exactWrites: true }),
  ],
  [
    0,
    (service, context) =>
      perform(service, entityGroupTransaction, { table: 'people', changes: [change] }, { context }),
  ],
]

/** Plays an attempt that gets the turn, before the network fails, and says what Rowkey then knows and does. */
async function meaningOf(turn: Turn, send: Send): Promise<string> {
  const transport = scriptedTransport(turn, ...Array.from({ length: 9 }, () => failure(false)))
  const service = serviceOver(transport, { retry: linearRetry({ attempts: 2, delay: 0 }) })
  const context = new OperationContext()
  await expect(send(service, context)).rejects.toThrow()
  const [first, second] = context.attempts
  const isRead = first?.method === 'GET'
  const isInDoubt = first?.verdict === 'may have applied' && !isRead
  const known = conflictOf(first?.error) ?? (isInDoubt ? 'in doubt' : undefined)
  if (second?.operation !== first?.operation) return known ?? 'rejected'
  return known === undefined ? 'again' : `${known}, again`
}

it('docs/lost-responses.md says what each response means', async () => {
  const lines: string[] = []
  for (const [name, [single, together]] of Object.entries(rows)) {
    const cells: string[] = []
    for (const [place, send] of columns) {
      cells.push(await meaningOf(place === undefined ? single : together(place), send))
    }
    const service = serviceOver(scriptedTransport(single), { retry: noRetry })
    const error: unknown = await perform(service, getEntity, jeff).catch((thrown) => thrown)
    lines.push(`| ${name} | ${[...cells, isOverloaded(error) ? 'fewer' : ''].join(' | ')} |`)
  }
  const page = readFileSync(new URL('../../../docs/lost-responses.md', import.meta.url), 'utf8')
  expect(page).toContain(lines.join('\n'))
})

it.each(Object.entries(rows))('an insert is judged like an update: %s', async (_, [single]) => {
  const insert: Send = (service, context) => perform(service, insertEntity, jeff, { context })
  const update: Send = (service, context) =>
    perform(service, updateEntity, change.input, { context })
  expect(await meaningOf(single, insert)).toBe(await meaningOf(single, update))
})
