import { localTableService } from '@rowkey/local'
import { Account, ModifyConflictError } from '@rowkey/mapper'
import {
  AbortError,
  AmbiguousWriteError,
  DeadlineError,
  ETagMismatchError,
  type HttpRequest,
  noRetry,
  type TableServiceSettings,
  tableService,
} from '@rowkey/rest'
import { failingTransport, type TransportFailure } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { modifyOptions } from '../../../packages/mapper/src/writes/modify-entity.ts'
import { Customer, customer } from '../customer.ts'

const jeffsKey = ['Smith', 'Jeff'] as const
const changed: TransportFailure = {
  status: 412,
  headers: {},
  body: '{"odata.error":{"code":"UpdateConditionNotSatisfied","message":{"value":"Changed."}}}',
}

/** Jeff, a service with scripted failures of writes, and the recorded waits. */
async function withJeff(settings: TableServiceSettings = {}) {
  const { transport, connectionString } = localTableService()
  const sent: HttpRequest[] = []
  const waits: number[] = []
  let failures: (TransportFailure | undefined)[] = []
  const service = tableService({
    connectionString: connectionString(),
    retry: noRetry,
    random: () => 0.5,
    sleep: async (delay) => void waits.push(delay),
    ...settings,
    transport: failingTransport(transport, (request) => {
      sent.push(request)
      return request.method === 'GET' ? undefined : failures.shift()
    }),
  })
  const table = new Account(service).table(Customer)
  await table.create()
  await table.insert(customer('Smith', 'Jeff', { age: 1 }))
  sent.length = 0
  return {
    table,
    sent,
    waits,
    fail(...next: (TransportFailure | undefined)[]) {
      failures = next
    },
  }
}

const older = (jeff: Customer): void => {
  jeff.age = (jeff.age ?? 0) + 1
}

describe('modifyEntity', () => {
  it('waits longer after each conflict, up to a bound, and by chance', async () => {
    const { table, waits, sent, fail } = await withJeff()
    fail(...Array.from({ length: 9 }, () => changed))
    expect((await table.modify(jeffsKey, older)).age).toBe(2)
    expect(waits).toEqual([25, 50, 100, 200, 400, 800, 1000, 1000, 1000])
    expect(sent).toHaveLength(20)
  })

  it('modifies the entity that the target named at the call', async () => {
    const { table } = await withJeff()
    await table.insert(customer('Smith', 'Ann', { age: 1 }))
    const target: [string, string] = ['Smith', 'Jeff']
    const modified = table.modify(target, older)
    target[1] = 'Ann'
    expect(await modified).toMatchObject({ firstName: 'Jeff', age: 2 })
    expect((await table.get(['Smith', 'Ann'])).age).toBe(1)
  })

  it('makes ten attempts by default', async () => {
    const { table, waits, fail } = await withJeff()
    fail(...Array.from({ length: 20 }, () => changed))
    await expect(table.modify(jeffsKey, older)).rejects.toMatchObject({ attempts: 10 })
    expect(waits).toHaveLength(9)
    await expect(table.modify(jeffsKey, older, { attempts: 1 })).rejects.toThrow(
      ModifyConflictError,
    )
    expect(waits).toHaveLength(9)
  })

  it('ends with what the function throws, even when that is the conflict of another write', async () => {
    const { table, sent, waits } = await withJeff()
    const ann = await table.insert(customer('Smith', 'Ann'))
    await table.insertOrMerge(customer('Smith', 'Ann', { age: 5 }))
    sent.length = 0
    const modified = table.modify(jeffsKey, async (jeff) => {
      jeff.age = 2
      await table.replace(ann)
    })
    await expect(modified).rejects.toThrow(ETagMismatchError)
    expect([sent.length, waits.length]).toEqual([2, 0])
  })

  it('begins no wait that would go past the deadline', async () => {
    const startedAt = Date.now()
    const { table, waits, sent, fail } = await withJeff({ now: () => startedAt })
    fail(changed, changed, changed)
    const work = table.modify(jeffsKey, older, { deadline: 100 })
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DeadlineError)
    expect(error).toMatchObject({ attempts: 3, mayHaveApplied: false, cause: { status: 412 } })
    expect(waits).toEqual([25, 50])
    expect(sent).toHaveLength(6)
  })

  it('ends when its signal aborts while it waits', async () => {
    const controller = new AbortController()
    const { table, sent, fail } = await withJeff({ sleep: async () => controller.abort('enough') })
    fail(changed)
    const work = table.modify(jeffsKey, older, { signal: controller.signal })
    await expect(work).rejects.toThrow(AbortError)
    await expect(work).rejects.toMatchObject({ mayHaveApplied: false, cause: 'enough' })
    expect(sent).toHaveLength(2)
  })

  it('does not apply the change again after a lost response that nothing explains', async () => {
    const { table, fail } = await withJeff({ retry: { delayAfter: () => 0 } })
    fail('lost response')
    let calls = 0
    const work = table.modify(jeffsKey, (jeff) => {
      calls++
      older(jeff)
    })
    await expect(work).rejects.toThrow(AmbiguousWriteError)
    expect(calls).toBe(1)
    expect((await table.get(jeffsKey)).age).toBe(2)
  })

  it('goes on after a lost request, which changed nothing', async () => {
    const { table, fail } = await withJeff({
      retry: { delayAfter: ({ number }) => (number < 3 ? 0 : undefined) },
    })
    fail('lost request')
    expect((await table.modify(jeffsKey, older)).age).toBe(2)
    expect((await table.get(jeffsKey)).age).toBe(2)
  })

  it('reads where it writes, whatever reads do otherwise', async () => {
    const { table, sent } = await withJeff({ locationMode: 'secondaryOnly' })
    await table.modify(jeffsKey, older)
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
    await table.get(jeffsKey)
    expect(sent.map(({ path }) => path.includes('-secondary'))).toEqual([false, false, true])
  })
})

describe('the options of modify', () => {
  it('are those of every call, and how often to try', () => {
    expect(modifyOptions.names).toEqual(expect.arrayContaining(['signal', 'attempts']))
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null])(
    'reject %j as how often to try',
    async (attempts) => {
      const { table } = await withJeff()
      const options = { attempts: attempts as number }
      await expect(table.modify(jeffsKey, () => {}, options)).rejects.toMatchObject({
        code: 'InvalidOptionValue',
        message: expect.stringMatching(
          /^attempts of modify of table customers must be a whole number/,
        ),
      })
    },
  )

  it('reject null as the options', async () => {
    const { table } = await withJeff()
    await expect(table.modify(jeffsKey, () => {}, null as never)).rejects.toMatchObject({
      code: 'InvalidOptionValue',
    })
  })
})
