import type { FaultRule, RequestFacts } from '@rowkey/local'
import { describe, expect, it } from 'vitest'
import { ActiveFault } from '../../../packages/local/src/faults/faults.ts'

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
