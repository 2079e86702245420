import { readFileSync } from 'node:fs'
import { DecodeError } from '@rowkey/odata'
import {
  entityGroupTransaction,
  getEntity,
  insertEntity,
  linearRetry,
  noRetry,
  OperationContext,
  perform,
  ServiceError,
  type TableService,
  TransportError,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  conflictOf,
  isOverloaded,
  isTransient,
  isUnsent,
  mayHaveApplied,
  verdictOf,
} from '../../../packages/rest/src/retry/verdict.ts'
import { jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const responded = (status: number, mayHaveApplied = false) => ({
  response: { status, headers: {}, body: '' },
  error: new ServiceError({
    message: 'no',
    status,
    code: 'x',
    requestId: undefined,
    operation: 'insertEntity',
    mayHaveApplied,
  }),
})
const failed = (error: unknown) => ({ response: undefined, error })
const garbled = (status: number) => ({
  response: { status, headers: {}, body: '' },
  error: new DecodeError({ message: 'what?', mayHaveApplied: true }),
})

describe('verdictOf', () => {
  it.each([
    ['no error', failed(undefined), 'succeeded'],
    ['a rejection', responded(409), 'not applied'],
    ['a doubtful response', responded(500, true), 'may have applied'],
    [
      'a lost response',
      failed(new TransportError({ message: 'lost', mayHaveApplied: true })),
      'may have applied',
    ],
    [
      'no connection',
      failed(
        new TransportError({
          code: 'ConnectionFailed',
          message: 'no',
          failure: 'dns',
          mayHaveApplied: false,
        }),
      ),
      'not applied',
    ],
    ['a garbled response', garbled(202), 'may have applied'],
    ['an error of the credential', failed(new TypeError('no token')), 'not applied'],
    ['a value that is not an error', failed(null), 'not applied'],
  ])('after %s', (_, attempt, verdict) => {
    expect(verdictOf(attempt)).toBe(verdict)
  })
})

describe('isTransient', () => {
  it.each([408, 429, 500, 502, 503, 504, 507, 520, 599])('is true for %i', (status) => {
    expect(isTransient(responded(status))).toBe(true)
  })

  it.each([400, 401, 403, 404, 409, 412, 413, 501, 505])('is false for %i', (status) => {
    expect(isTransient(responded(status))).toBe(false)
  })

  it.each([
    ['refused', true],
    ['dns', true],
    ['timeout', true],
    ['other', true],
    ['tls', false],
    ['closed', false],
  ] as const)('for a connection that failed by %s is %s', (failure, transient) => {
    expect(
      isTransient(
        failed(
          new TransportError({
            code: 'ConnectionFailed',
            message: 'no',
            failure,
            mayHaveApplied: false,
          }),
        ),
      ),
    ).toBe(transient)
  })

  it('is true for a lost or garbled response, and false for a redirect', () => {
    const lost = new TransportError({ message: 'lost', mayHaveApplied: false })
    expect(isTransient(failed(lost))).toBe(true)
    expect(isTransient(garbled(200))).toBe(true)
    expect(isTransient(garbled(300))).toBe(false)
    expect(isTransient(garbled(302))).toBe(false)
  })

  it('is false for a response that is too long, and for a request that was never sent', () => {
    expect(isTransient(failed(new DecodeError({ message: 'long', mayHaveApplied: true })))).toBe(
      false,
    )
    expect(isTransient(failed(new TypeError('no token')))).toBe(false)
    const code = 'CredentialUnavailable'
    const unsigned = new TransportError({ message: 'no token', code, mayHaveApplied: false })
    expect(isTransient(failed(unsigned))).toBe(false)
  })
})

describe('conflictOf', () => {
  const rejected = (status: number, code: string, inDoubt = false) =>
    new ServiceError({
      message: code,
      status,
      code,
      requestId: undefined,
      operation: 'updateEntity',
      mayHaveApplied: inDoubt,
    })

  it.each([
    ['changed', 412, 'UpdateConditionNotSatisfied'],
    ['changed', 412, 'ConditionNotMet'],
    ['exists', 409, 'EntityAlreadyExists'],
    ['missing', 404, 'ResourceNotFound'],
    ['missing', 404, 'EntityNotFound'],
    [undefined, 404, 'TableNotFound'],
    [undefined, 409, 'TableBeingDeleted'],
    [undefined, 409, 'TableAlreadyExists'],
    [undefined, 400, 'InvalidInput'],
    [undefined, 503, 'ServerBusy'],
  ] as const)('is %s for %i %s', (conflict, status, code) => {
    expect(conflictOf(rejected(status, code))).toBe(conflict)
  })

  it('is undefined when the write may have been applied, and for any other error', () => {
    expect(conflictOf(rejected(412, 'ConditionNotMet', true))).toBeUndefined()
    expect(conflictOf(new TypeError('412'))).toBeUndefined()
    expect(conflictOf(undefined)).toBeUndefined()
  })
})

describe('isOverloaded', () => {
  it.each([
    [{ status: 429 }, true],
    [{ status: 503 }, true],
    [{ code: 'OperationTimedOut', status: 500 }, true],
    [{ code: 'AttemptTimeout' }, true],
    [{ code: 'InternalError', status: 500 }, false],
    [undefined, false],
  ])('is, for %j, %s', (failure, expected) => {
    expect(isOverloaded(failure)).toBe(expected)
  })
})

describe('mayHaveApplied and isUnsent', () => {
  it('read what each error says of itself', () => {
    const error = new TransportError({ message: 'lost', mayHaveApplied: true })
    expect([mayHaveApplied(error), mayHaveApplied(new Error('x')), mayHaveApplied(null)]).toEqual([
      true,
      false,
      false,
    ])
    expect([isUnsent(Object.assign(error, { attempts: 0 })), isUnsent(null)]).toEqual([true, false])
  })
})

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

it('docs/safe-writes.md says what each response means', async () => {
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
  const page = readFileSync(new URL('../../../docs/safe-writes.md', import.meta.url), 'utf8')
  expect(page).toContain(lines.join('\n'))
})

it.each(Object.entries(rows))('an insert is judged like an update: %s', async (_, [single]) => {
  const insert: Send = (service, context) => perform(service, insertEntity, jeff, { context })
  const update: Send = (service, context) =>
    perform(service, updateEntity, change.input, { context })
  expect(await meaningOf(single, insert)).toBe(await meaningOf(single, update))
})
