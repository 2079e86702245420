import {
  createTable,
  deleteTable,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  perform,
  queryTables,
  retryBudget,
  SharedKeyCredential,
  type TableServiceSettings,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../support/random-steps.ts'
import { jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'
import { callsAtErrorRate } from '../simulation/error-rates.ts'

const busy = { status: 503 }

/** How many of some calls succeed, and how many requests they make, when requests fail by a rule. */
async function outage(
  calls: number,
  fails: (request: number) => boolean,
  settings?: TableServiceSettings,
) {
  const transport = scriptedTransport(async () => {
    const failed = fails(transport.requests.length)
    return { status: failed ? 503 : 200, headers: {}, body: failed ? '' : jeff.body }
  })
  const service = serviceOver(transport, settings)
  let succeeded = 0
  for (let call = 0; call < calls; call++) {
    const isOne = await perform(service, getEntity, jeff).then(
      () => true,
      () => false,
    )
    if (isOne) succeeded++
  }
  return { succeeded, requests: transport.requests.length }
}

describe('retryBudget', () => {
  it('returns a fraction for each success, up to its capacity', () => {
    const budget = retryBudget({ capacity: 2, earnings: 0.5 })
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false])
    budget.earn()
    expect(budget.spend()).toBe(false)
    budget.earn()
    expect([budget.spend(), budget.spend()]).toEqual([true, false])
    for (let success = 0; success < 99; success++) budget.earn()
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false])
  })

  it('limits retries in an outage to half the number of calls', async () => {
    const { succeeded, requests } = await outage(200, () => true)
    expect(succeeded).toBe(0)
    expect(requests).toBeLessThanOrEqual(300)
  })

  it('lets every call succeed when one request in ten fails', async () => {
    const { succeeded } = await outage(5000, (request) => request % 10 === 0)
    expect(succeeded).toBe(5000)
  })

  it('does not limit first attempts, so that calls succeed after the outage', async () => {
    const { succeeded } = await outage(300, (request) => request <= 250)
    expect(succeeded).toBeGreaterThanOrEqual(300 - 250 / 1.5)
  })

  it.each([
    [0.1, 0.99, 1.2],
    [0.3, 0.98, 1.5],
    [0.5, 0.9, 2],
    [0.7, 0.3, 1.75],
    [0.9, 0.1, 1.25],
    [1, 0, 1.1],
  ])(
    'R-116: with an error rate of %d, success is at least %d in at most %d requests a call',
    async (rate, success, requests) => {
      for (const seed of [1, 2, 3].slice(0, randomSteps(3))) {
        const result = await callsAtErrorRate(rate, 1_500, { seed })
        expect(result.success).toBeGreaterThanOrEqual(success)
        expect(result.amplification).toBeLessThanOrEqual(requests)
      }
    },
  )

  it.each([
    [0.3, 0.999, 1.6],
    [0.5, 0.99, 2.2],
    [0.7, 0.94, 3.5],
  ])(
    'R-116: with %d of the requests throttled, success is at least %d in at most %d requests a call',
    async (rate, success, requests) => {
      for (const seed of [1, 2, 3].slice(0, randomSteps(3))) {
        const result = await callsAtErrorRate(rate, 1_500, { seed, status: 429 })
        expect(result.success).toBeGreaterThanOrEqual(success)
        expect(result.amplification).toBeLessThanOrEqual(requests)
      }
    },
  )

  it('R-116: when all requests are throttled, the waits reduce the load to less than 2 %', async () => {
    const usual = await callsAtErrorRate(0, 1_500)
    const throttled = await callsAtErrorRate(1, 1_500, { status: 429 })
    expect(throttled.perSecond).toBeLessThan(usual.perSecond * 0.02)
    expect(throttled.amplification).toBeLessThanOrEqual(10)
  })

  it('retries again at once when an outage ends', async () => {
    const outage = 2_000
    const calls = 12_000
    const { success } = await callsAtErrorRate((elapsed) => (elapsed < outage ? 1 : 0.1), calls)
    // 32 callers make a call each 20 ms, and wait for their last retries when the budget is spent.
    const failedInOutage = (32 * outage) / 20
    expect(success).toBeGreaterThanOrEqual(1 - (failedInOutage + 20) / calls)
  })

  it('can be disabled', async () => {
    const { requests } = await outage(200, () => true, { retryBudget: false })
    expect(requests).toBe(800)
  })

  it('can be shared by services', async () => {
    const budget = retryBudget({ capacity: 1 })
    const first = scriptedTransport(busy)
    const second = scriptedTransport(busy)
    for (const transport of [first, second]) {
      const service = serviceOver(transport, { retryBudget: budget })
      await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ status: 503 })
    }
    expect([first.requests.length, second.requests.length]).toEqual([2, 1])
  })

  it.each([
    [{ capacity: 0 }, 'capacity'],
    [{ earnings: 0 }, 'earnings'],
    [{ earnings: 2.5 }, 'earnings'],
    [{ tokens: 3 }, 'tokens'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => retryBudget(options as never)).toThrow(name)
  })

  it.each([true, null, {}, 5])('rejects %j', (budget) => {
    const settings = { retryBudget: budget as never }
    expect(() => serviceOver(scriptedTransport(busy), settings)).toThrow('retryBudget')
  })
})

const done = { status: 204 }
const noTable = { status: 404, body: '{"odata.error":{"code":"TableNotFound"}}' }
const gone = { status: 404, body: '{"odata.error":{"code":"ResourceNotFound"}}' }
const part = `--a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n${noTable.body.replace('"}}', '","message":{"value":"0:No."}}}')}\r\n--b--\r\n--a--\r\n`
const noTableInBatch = {
  status: 202,
  headers: { 'content-type': 'multipart/mixed; boundary=a' },
  body: part,
}

function scripted(...turns: readonly Turn[]) {
  let now = START
  const transport = scriptedTransport(...turns)
  const service = serviceOver(transport, { now: () => now })
  const wait = (time: number): void => {
    now += time
  }
  return { service, sent: () => transport.requests.length, wait }
}

const people = { table: 'people' }

describe('a table that this client has just created', () => {
  it('is retried while a part of the service does not know it yet', async () => {
    const { service, sent } = scripted(done, noTable, noTable, done)
    await perform(service, createTable, { table: 'People' })
    await perform(service, insertEntity, jeff)
    expect(sent()).toBe(4)
  })

  it('is retried in a transaction, too', async () => {
    const { service, sent } = scripted(done, noTableInBatch)
    await perform(service, createTable, people)
    const changes = [{ operation: insertEntity, input: jeff }]
    const batch = perform(service, entityGroupTransaction, { ...people, changes })
    await expect(batch).rejects.toMatchObject({ code: 'TableNotFound', attempts: 4 })
    expect(sent()).toBe(5)
  })

  it('is not retried after ten seconds', async () => {
    const { service, sent, wait } = scripted(done, noTable)
    await perform(service, createTable, people)
    wait(10_001)
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
    await perform(service, createTable, { table: 'orders' }).catch(() => {})
    expect(sent()).toBe(3)
  })

  it('is not retried after its deletion', async () => {
    const { service } = scripted(done, done, noTable)
    await perform(service, createTable, people)
    await perform(service, deleteTable, people)
    await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })

  it('does not affect missing entities and other tables', async () => {
    const { service } = scripted(done, gone, noTable)
    await perform(service, createTable, { table: 'orders' })
    const orders = { ...jeff, table: 'orders' }
    await expect(perform(service, getEntity, orders)).rejects.toMatchObject({ attempts: 1 })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })
})

describe('a table that another program created', () => {
  it('is not retried', async () => {
    const exists = { status: 409, body: '{"odata.error":{"code":"TableAlreadyExists"}}' }
    const { service } = scripted(exists, noTable)
    const { reconcile: _, ...create } = createTable
    const ifNotExists = {
      ...create,
      expects: ['TableAlreadyExists'],
      fromResponse: ({ status }: { status: number }) => status < 400,
    }
    expect(await perform(service, ifNotExists, people)).toBe(false)
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })

  it('is not learned from other operations', async () => {
    const { service } = scripted({ body: '{"value":[]}' }, noTable)
    await perform(service, queryTables, {})
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 1 })
  })
})

describe('a new table of Cosmos DB', () => {
  const attempts = async (created: string) => {
    const transport = scriptedTransport(done, gone)
    const service = tableService({
      endpoint: 'https://contoso.table.cosmos.azure.com',
      credential: new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' }),
      transport,
      now: () => START,
      sleep: async () => {},
    })
    await perform(service, createTable, { table: created })
    return perform(service, insertEntity, jeff).catch((error) => [error.name, error.attempts])
  }

  it('R-177: is retried by its name in the same case only', async () => {
    expect(await attempts('people')).toEqual(['TableNotFoundError', 4])
    expect(await attempts('People')).toEqual(['TableNotFoundError', 1])
  })
})
