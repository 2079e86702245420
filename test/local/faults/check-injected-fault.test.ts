import type { InjectedFault } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkInjectedFault } from '../../../packages/local/src/faults/faults.ts'

describe('checkInjectedFault', () => {
  it.each<InjectedFault>([
    { kind: 'lost request' },
    { kind: 'lost response', connection: 'reset' },
    { kind: 'rejection', code: 'ServerBusy', retryAfter: 0, applied: true },
    { kind: 'late response', delay: 0 },
    { kind: 'slow body', delay: 5, after: 0 },
    { kind: 'truncated body' },
    { kind: 'cut page', rows: 0 },
    { kind: 'wrong clock', offset: -5 },
    { kind: 'duplicate delivery', response: 'second' },
  ])('accepts %o', (fault) => {
    expect(() => checkInjectedFault(fault)).not.toThrow()
  })

  it.each([
    undefined,
    'lost response',
    {},
    { kind: 'toString' },
    { kind: 'lost response', connection: 'broken' },
    { kind: 'rejection' },
    { kind: 'rejection', code: 'EntityAlreadyExists' },
    { kind: 'rejection', code: 'ServerBusy', retryAfter: -1 },
    { kind: 'late response' },
    { kind: 'late response', delay: Number.NaN },
    { kind: 'slow body', delay: 1, after: 0.5 },
    { kind: 'cut page', rows: -1 },
    { kind: 'late response', delay: 1n },
    { kind: 'wrong clock', offset: '1' },
    { kind: 'wrong clock', offset: 1e300 },
    { kind: 'duplicate delivery', response: 'third' },
    { kind: 'truncated body', delay: 5 },
  ])('rejects %o', (fault) => {
    expect(() => checkInjectedFault(fault as never)).toThrow(InputError)
  })

  it('names a valid value', () => {
    const fault = { kind: 'late response', delay: -1 } as const
    expect(() => checkInjectedFault(fault)).toThrow(
      /delay of the fault 'late response' .* milliseconds.*-1/,
    )
  })
})
