import type { InjectedFault } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkInjectedFault } from '../../../packages/local/src/injection/check-injected-fault.ts'

describe('checkInjectedFault', () => {
  it.each<InjectedFault>([
    { kind: 'lost request' },
    { kind: 'lost answer', connection: 'reset' },
    { kind: 'refusal', code: 'ServerBusy', retryAfter: 0, applied: true },
    { kind: 'late answer', delay: 0 },
    { kind: 'slow body', delay: 5, after: 0 },
    { kind: 'truncated body' },
    { kind: 'cut page', rows: 0 },
    { kind: 'wrong clock', offset: -5 },
    { kind: 'duplicate delivery', answer: 'second' },
  ])('takes %o', (fault) => {
    expect(() => checkInjectedFault(fault)).not.toThrow()
  })

  it.each([
    undefined,
    'lost answer',
    {},
    { kind: 'toString' },
    { kind: 'lost answer', connection: 'broken' },
    { kind: 'refusal' },
    { kind: 'refusal', code: 'EntityAlreadyExists' },
    { kind: 'refusal', code: 'ServerBusy', retryAfter: -1 },
    { kind: 'late answer' },
    { kind: 'late answer', delay: Number.NaN },
    { kind: 'slow body', delay: 1, after: 0.5 },
    { kind: 'cut page', rows: -1 },
    { kind: 'late answer', delay: 1n },
    { kind: 'wrong clock', offset: '1' },
    { kind: 'wrong clock', offset: 1e300 },
    { kind: 'duplicate delivery', answer: 'third' },
    { kind: 'truncated body', delay: 5 },
  ])('refuses %o', (fault) => {
    expect(() => checkInjectedFault(fault as never)).toThrow(InputError)
  })

  it('says what would do', () => {
    const fault = { kind: 'late answer', delay: -1 } as const
    expect(() => checkInjectedFault(fault)).toThrow(/delay.*'late answer'.*-1.*milliseconds/)
  })
})
