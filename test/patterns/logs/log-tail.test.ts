import { defineEntity, key, ModelError } from '@rowkey/mapper'
import { logTail } from '@rowkey/patterns'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, office } from '../employees.ts'

const Expense = defineEntity({
  name: 'expenses',
  partitionKey: key`${'employee'}`,
  rowKey: key`${'at:inverted'}_${'id'}`,
  schema: z.object({ employee: z.string(), at: z.date(), id: z.string() }),
})

it('R-153: latest reads the newest rows of a partition by one request, newest first', async () => {
  const { account, sent } = office()
  const expenses = account.table(Expense)
  await expenses.create()
  for (let day = 1; day <= 20; day++) {
    const at = new Date(Date.UTC(2026, 0, day))
    await expenses.insert({ employee: 'jones', at, id: `e${day}` })
    await expenses.insert({ employee: 'adams', at, id: `a${day}` })
  }
  sent.length = 0
  const latest = await logTail(Expense)
    .on(account)
    .latest({ employee: 'jones' }, 3, { exactWrites: true })
  expect(latest.map(({ id }) => id)).toEqual(['e20', 'e19', 'e18'])
  expect(latest[0]?.at.toISOString()).toBe('2026-01-20T00:00:00.000Z')
  expect(sent.map(({ query }) => new URLSearchParams(query).get('$top'))).toEqual(['3'])
})

it('R-153: latest reads the newest rows of a partition on Cosmos DB, which does not sort rows', async () => {
  const { account } = office('cosmos')
  const expenses = account.table(Expense)
  await expenses.create()
  for (let day = 1; day <= 20; day++) {
    await expenses.insert({
      employee: 'jones',
      at: new Date(Date.UTC(2026, 0, day)),
      id: `e${day}`,
    })
  }
  const latest = await logTail(Expense).on(account).latest({ employee: 'jones' }, 3)
  expect(latest.map(({ id }) => id)).toEqual(['e20', 'e19', 'e18'])
})

it('logTail rejects a model whose rows are not sorted from new to old', () => {
  expect(() => logTail(defineEmployee())).toThrow(ModelError)
})

it.each(['storage', 'cosmos'] as const)(
  'latest rejects a condition that several partitions meet on %s, as their first rows are not the newest',
  async (flavour) => {
    const Claim = defineEntity({
      name: 'claims',
      partitionKey: key`${'tenant'}_${'employee'}`,
      rowKey: key`${'at:inverted'}_${'id'}`,
      schema: z.object({ tenant: z.string(), employee: z.string(), at: z.date(), id: z.string() }),
    })
    const { account, sent } = office(flavour)
    const claims = account.table(Claim)
    await claims.create()
    await claims.insert({ tenant: 't', employee: 'adams', at: new Date('2026-01-01'), id: 'old' })
    await claims.insert({ tenant: 't', employee: 'jones', at: new Date('2026-01-02'), id: 'new' })
    const tail = logTail(Claim).on(account)
    sent.length = 0
    await expect(tail.latest({ tenant: 't' }, 1)).rejects.toMatchObject({
      code: 'InvalidPatternOption',
      message: expect.stringContaining('names one partition'),
    })
    await expect(tail.latest({ at: new Date('2026-01-02') }, 1)).rejects.toThrow(
      /names one partition/,
    )
    expect(sent).toEqual([])
    const latest = await tail.latest({ tenant: 't', employee: 'jones' }, 1)
    expect(latest.map(({ id }) => id)).toEqual(['new'])
  },
)
