import { localTableService, seededRandom } from '@rowkey/local'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { readAccountKeys } from '../../../packages/local/src/account/account.ts'
import { FaultRules } from '../../../packages/local/src/faults/faults.ts'

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
