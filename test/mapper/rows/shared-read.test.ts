import { EntityNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'

const jeff = ['Smith', 'Jeff'] as const

async function withJeff() {
  const fresh = await freshTable(Customer)
  await fresh.table.insert(customer('Smith', 'Jeff', { age: 39, rating: 4 }))
  fresh.sent.length = 0
  return fresh
}

describe('equal reads of one tick', () => {
  it('are one request, and each caller gets an entity of its own', async () => {
    const { table, sent } = await withJeff()
    const [one, other] = await Promise.all([
      table.get(jeff),
      table.get({ lastName: 'Smith', firstName: 'Jeff' }),
    ])
    expect(sent).toHaveLength(1)
    one.age = 40
    expect(other.age).toBe(39)
    await table.merge(one)
    other.age = 41
    await expect(table.merge(other)).rejects.toMatchObject({ name: 'ETagMismatchError' })
  })

  it('are one request by two tables of one account', async () => {
    const { account, table, sent } = await withJeff()
    const [, rows] = await Promise.all([table.get(jeff), account.table(Customer).get(jeff)])
    expect(rows.age).toBe(39)
    expect(sent).toHaveLength(1)
  })

  it('fail together, each for its caller', async () => {
    const { table, sent } = await withJeff()
    const reads = [table.get(['Smith', 'Zoe']), table.get(['Smith', 'Zoe'])]
    for (const read of await Promise.allSettled(reads)) {
      expect(read).toMatchObject({ reason: expect.any(EntityNotFoundError) })
    }
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['select', { select: ['rating'] }, {}],
    ['timeout', { timeout: 5_000 }, {}],
    ['signal', { signal: new AbortController().signal }, {}],
    ['deadline', { deadline: { endsAt: Number.MAX_SAFE_INTEGER } }, { deadline: 5_000 }],
  ] as const)('are two requests with another %s', async (_, options, others) => {
    const { table, sent } = await withJeff()
    await Promise.all([table.get(jeff, options as object), table.get(jeff, others)])
    expect(sent).toHaveLength(2)
  })

  it('with another signal do not end together', async () => {
    const { table } = await withJeff()
    const controller = new AbortController()
    const ended = table.get(jeff, { signal: controller.signal })
    const other = table.get(jeff, { signal: new AbortController().signal })
    controller.abort()
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    expect((await other).age).toBe(39)
  })

  it('with one signal are one request, and end together', async () => {
    const { table, sent } = await withJeff()
    const controller = new AbortController()
    const { signal } = controller
    const reads = Promise.allSettled([table.get(jeff, { signal }), table.find(jeff, { signal })])
    const shared = Promise.allSettled([table.get(jeff, { signal }), table.get(jeff, { signal })])
    expect(sent).toHaveLength(0)
    controller.abort()
    for (const read of [...(await reads), ...(await shared)]) {
      expect(read).toMatchObject({ reason: { name: 'AbortError' } })
    }
  })

  it('are drained when the account closes', async () => {
    const { table, service, sent } = await withJeff()
    const reads = Promise.all([table.get(jeff), table.get(jeff)])
    await service.close({ drain: true })
    expect((await reads).map(({ age }) => age)).toEqual([39, 39])
    expect(sent).toHaveLength(1)
  })
})

describe('a read', () => {
  it('never joins a request that is sent already', async () => {
    const { account, table, sent } = await withJeff()
    const [read] = [table.get(jeff)]
    while (sent.length === 0) await undefined
    const written = account
      .table(Customer)
      .merge(customer('Smith', 'Jeff', { age: 50 }), { etag: '*' })
    await written
    const [later] = await Promise.all([table.get(jeff), read])
    expect(later.age).toBe(50)
    expect(sent).toHaveLength(3)
  })

  it('in the tick after a write sees the write', async () => {
    const { table } = await withJeff()
    const entity = await table.get(jeff)
    entity.age = 51
    await table.merge(entity)
    expect((await table.get(jeff)).age).toBe(51)
  })
})
