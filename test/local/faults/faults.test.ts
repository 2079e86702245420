import {
  type FaultRule,
  type InjectedFault,
  localTableService,
  type RequestFacts,
  seededRandom,
} from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { readAccountKeys } from '../../../packages/local/src/account/account.ts'
import {
  ActiveFault,
  checkFaultRule,
  checkInjectedFault,
  FaultRules,
} from '../../../packages/local/src/faults/faults.ts'

const accounts = readAccountKeys([{ name: 'contoso', key: 'AAAA' }])
const request: HttpRequest = {
  method: 'GET',
  origin: 'http://localhost',
  path: '/contoso/people()',
  query: '',
  headers: {},
  body: undefined,
}
const lost = { kind: 'lost request' } as const
const busy = { kind: 'rejection', code: 'ServerBusy' } as const

describe('FaultRules', () => {
  it('apply the first rule that chooses, and every rule counts', () => {
    const rules = new FaultRules(accounts, Math.random)
    const second = rules.add({ nth: 2, fault: lost })
    const every = rules.add({ table: 'people', fault: busy })
    expect([rules.next(request), rules.next(request), rules.next(request)]).toEqual([
      busy,
      lost,
      busy,
    ])
    expect([second.counted, second.fired, every.counted, every.fired]).toEqual([3, 1, 3, 2])
    expect(rules.list()).toEqual([second, every])
  })

  it('apply nothing after they are removed', () => {
    const rules = new FaultRules(accounts, Math.random)
    const [first] = [rules.add({ fault: lost }), rules.add({ fault: busy })]
    first.remove()
    first.remove()
    expect(rules.next(request)).toBe(busy)
    rules.clear()
    expect([rules.next(request), rules.list()]).toEqual([undefined, []])
  })

  it('make the same random choices with the same seed', async () => {
    const run = async () => {
      const local = localTableService({ random: seededRandom(42) })
      local.faults.add({ probability: 0.3, fault: busy })
      for (let count = 0; count < 50; count += 1) await local.transport(request)
      return local.requests.entries().map(({ fault }) => fault !== undefined)
    }
    const first = await run()
    expect(first).toEqual(await run())
    expect(first.filter(Boolean).length).toBeGreaterThan(5)
    expect(first.filter(Boolean).length).toBeLessThan(25)
  })
})

const insert: RequestFacts = {
  method: 'POST',
  operation: 'insertEntity',
  account: 'contoso',
  location: 'primary',
  table: 'People',
}

/** Returns which of ten requests a rule selects. */
const chosenBy = (rule: Omit<FaultRule, 'fault'>, facts = insert, random = () => 0.5) => {
  const active = new ActiveFault({ ...rule, fault: { kind: 'lost request' } }, () => {})
  const chosen: number[] = []
  for (let number = 1; number <= 10; number += 1) {
    if (!active.chooses(facts, random)) continue
    active.fired++
    chosen.push(number)
  }
  return chosen
}

const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

describe('a rule', () => {
  it.each<[string, Omit<FaultRule, 'fault'>, readonly number[]]>([
    ['that names nothing chooses all', {}, all],
    ['chooses the nth', { nth: 3 }, [3]],
    ['chooses each so many-th', { every: 4 }, [4, 8]],
    ['chooses so many', { times: 2 }, [1, 2]],
    ['chooses so many of each so many-th', { every: 3, times: 2 }, [3, 6]],
    ['chooses a share', { probability: 0.51 }, all],
    ['chooses none by chance', { probability: 0.5 }, []],
    ['is about its operation', { operation: 'insertEntity' }, all],
    ['is about one of its operations', { operation: ['getEntity', 'insertEntity'] }, all],
    ['is about no other operation', { operation: 'getEntity' }, []],
    ['is about its table in any case', { table: 'pEOPLE' }, all],
    ['is about no other table', { table: 'places' }, []],
    ['is about its verb', { method: 'GET' }, []],
    ['is about its location', { location: 'secondary' }, []],
    ['asks its function', { when: ({ account }) => account !== 'contoso' }, []],
  ])('%s', (_, rule, chosen) => {
    expect(chosenBy(rule)).toEqual(chosen)
  })

  it('counts only matching requests', () => {
    const active = new ActiveFault({ table: 'people', fault: { kind: 'lost request' } }, () => {})
    active.chooses(insert, Math.random)
    active.chooses({ ...insert, table: undefined }, Math.random)
    expect(active.counted).toBe(1)
  })
})

const fault = { kind: 'lost response' } as const

describe('checkFaultRule', () => {
  it.each([
    { fault },
    { fault, nth: 1, every: 2, times: 3, probability: 0 },
    { fault, operation: ['getEntity', 'preflightTableRequest'], method: 'MERGE' },
    { fault, location: 'secondary' },
    { fault, probability: 1, when: () => true, operation: 'getEntity', table: 'x' },
  ] as const)('accepts %o', (rule) => {
    expect(() => checkFaultRule(rule)).not.toThrow()
  })

  it.each([
    null,
    {},
    { fault: { kind: 'lost' } },
    { fault, nth: 0 },
    { fault, every: 1.5 },
    { fault, times: '3' },
    { fault, probability: 1.1 },
    { fault, probability: 'often' },
    { fault, probability: null },
    { fault, probability: '0.5' },
    { fault, probability: 1n },
    { fault, operation: 'getentity' },
    { fault, operation: [] },
    { fault, operation: ['getEntity', null] },
    { fault, table: 42 },
    { fault, table: '' },
    { fault, method: 'get' },
    { fault, location: 'tertiary' },
    { fault, when: true },
    { fault, operations: ['getEntity'] },
  ])('rejects %o', (rule) => {
    expect(() => checkFaultRule(rule as never)).toThrow(InputError)
  })
})

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
