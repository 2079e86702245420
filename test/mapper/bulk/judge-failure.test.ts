import { InputError } from '@rowkey/odata'
import { AbortError, BatchError, DeadlineError, ServiceError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { judgeFailure } from '../../../packages/mapper/src/bulk/judge-failure.ts'

const service = (status: number, code: string, mayHaveApplied = false) =>
  new ServiceError({
    message: code,
    status,
    code,
    requestId: undefined,
    operation: 'insertEntity',
    mayHaveApplied,
  })

const batch = (status: number, code: string, index: number | undefined) =>
  new BatchError({
    message: code,
    status,
    code,
    requestId: undefined,
    operation: 'entityGroupTransaction',
    mayHaveApplied: false,
    index,
    change: undefined,
  })

describe('judgeFailure', () => {
  it.each([
    ['a lost response', new TransportError({ message: 'lost', mayHaveApplied: true }), 'unknown'],
    ['a 500', service(500, 'InternalError', true), 'unknown'],
    ['a 503', service(503, 'ServerBusy'), 'throttled'],
    ['a 429', service(429, 'TooManyRequests'), 'throttled'],
    ['a missing table', batch(404, 'TableNotFound', 0), 'fatal'],
    ['a rejected credential', service(403, 'AuthenticationFailed'), 'fatal'],
    [
      'a refused connection',
      new TransportError({ message: 'no', mayHaveApplied: false }),
      'failed',
    ],
    [
      'a deadline',
      new DeadlineError({ message: 'late', mayHaveApplied: false, attempts: 1 }),
      'failed',
    ],
    ['an abort', new AbortError({ reason: 'enough', mayHaveApplied: false }), 'failed'],
    ['an error that names its change', batch(409, 'EntityAlreadyExists', 7), 'one'],
    ['an error that names no change', batch(400, 'InvalidInput', undefined), 'split'],
    ['an error of a row that a keeper added', batch(409, 'EntityAlreadyExists', 12), 'split'],
    ['a check before sending', new InputError({ code: 'InvalidBatch', message: 'large' }), 'split'],
    ['an error of the program', new TypeError('mine'), 'split'],
  ])('reports %s of ten operations as %3$s', (_, error, kind) => {
    expect(judgeFailure(error, 10).kind).toBe(kind)
  })

  it('names the operation that failed; of one operation it is always that one', () => {
    expect(judgeFailure(batch(409, 'EntityAlreadyExists', 7), 10)).toEqual({
      kind: 'one',
      index: 7,
    })
    expect(judgeFailure(service(400, 'InvalidInput'), 1)).toEqual({ kind: 'one', index: 0 })
    expect(judgeFailure(new TypeError('mine'), 1)).toEqual({ kind: 'one', index: 0 })
  })
})
