import { DecodeError } from '@rowkey/odata'
import { ServiceError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  conflictOf,
  isOverloaded,
  isTransient,
  isUnsent,
  mayHaveApplied,
  verdictOf,
} from '../../../packages/rest/src/retry/verdict.ts'

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
    expect(isTransient(garbled(302))).toBe(false)
  })

  it('is false for a response that is too long, and for a request that was never sent', () => {
    expect(isTransient(failed(new DecodeError({ message: 'long', mayHaveApplied: true })))).toBe(
      false,
    )
    expect(isTransient(failed(new TypeError('no token')))).toBe(false)
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
