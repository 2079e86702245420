import { type Converter, converted, defineEntity, key } from '@rowkey/mapper'
import { unsignedInt64 } from '@rowkey/mapper/other-clients'
import { declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { employee, opened, sales } from './staff-summaries.ts'

describe('declareSummaries', () => {
  it('adds up the values of converters, whatever type they are stored as', async () => {
    const { account } = office()
    const digits: Converter<bigint, string> = {
      type: 'String',
      toStored: String,
      fromStored: BigInt,
    }
    const Sale = defineEntity({
      name: 'sales',
      partitionKey: key`${'shop'}`,
      rowKey: key`sale_${'id:6'}`,
      schema: z.object({
        shop: z.string(),
        id: z.int(),
        number: z.number().optional(),
        unsigned: z.bigint().optional(),
        digits: z.bigint().optional(),
      }),
      columns: {
        number: { type: 'Int64' },
        unsigned: converted(unsignedInt64),
        digits: converted(digits),
      },
    })
    const all = { rowKey: key`all`, sums: ['number', 'unsigned', 'digits'] as const }
    const table = declareSummaries(Sale, { all }).on(account)
    const rows = account.table(Sale)
    await rows.create()
    expect((await table.get('all', { shop: 'a' })).sums).toMatchObject({ number: 0, unsigned: 0n })
    for (const id of [1, 2, 3]) {
      await rows.insert({ shop: 'a', id, number: id, unsigned: BigInt(id), digits: 2n ** 60n })
    }
    const { sums } = await table.get('all', { shop: 'a' })
    expect(sums).toEqual({ number: 6, unsigned: 6n, digits: 3n * 2n ** 60n })
    expect((await table.verify()).findings).toEqual([])
  })

  it('R-166: a changed value moves the entity to another group', async () => {
    const { staff, table } = await opened()
    const jones = await staff.insert(employee(1, 'dev', 100))
    jones.title = 'lead'
    await staff.merge(jones)
    expect(await table.get('byTitle', { ...sales, title: 'dev' })).toMatchObject({ count: 0 })
    const groups: unknown[] = []
    for await (const { group, summary } of table.query('byTitle', sales))
      groups.push([group, summary])
    expect(groups).toEqual([[{ title: 'lead' }, { count: 1, sums: { salary: 100 } }]])
  })

  it('where decides who counts', async () => {
    const { staff, table } = await opened()
    const jones = await staff.insert(employee(1, 'dev', 100))
    const count = async () => (await table.get('wellPaid', { ...sales, title: 'dev' })).count
    expect(await count()).toBe(0)
    jones.salary = 101
    await staff.merge(jones)
    expect(await count()).toBe(1)
  })
})

describe('sums that do not fit', () => {
  it('reject the write, and name the summary and the property', async () => {
    const { staff, table } = await opened()
    await staff.insert({ ...employee(1), points: 2n ** 63n - 1n, salary: Number.MAX_VALUE })
    const points = staff.insert({ ...employee(2), points: 1n })
    await expect(points).rejects.toMatchObject({
      code: 'SumOutOfRange',
      message: expect.stringMatching(/^Summary staff of staff: the sum of 'points' .* 64 bits/),
    })
    const salary = staff.insert({ ...employee(3), salary: Number.MAX_VALUE })
    await expect(salary).rejects.toThrow(/the sum of 'salary' .* finite/)
    expect(await table.get('staff', sales)).toMatchObject({ count: 1 })
    expect((await table.verify()).findings).toEqual([])
  })
})

describe('values that are not finite', () => {
  it.each([Number.NaN, Infinity, -Infinity])('%d counts and adds nothing', async (value) => {
    const Sample = defineEntity({
      name: 'samples',
      partitionKey: key`${'sensor'}`,
      rowKey: key`at_${'id'}`,
      schema: z.object({
        sensor: z.string(),
        id: z.string(),
        value: z.number().or(z.literal([Number.NaN, Infinity, -Infinity])),
      }),
    })
    const summaries = declareSummaries(Sample, { all: { rowKey: key`all`, sums: ['value'] } })
    const { account } = office()
    const samples = account.table(Sample)
    await samples.create()
    const table = summaries.on(account)
    const sensor = { sensor: 'a' }
    await samples.insert({ ...sensor, id: '1', value: 5 })
    const other = await samples.insert({ ...sensor, id: '2', value })
    expect(await table.get('all', sensor)).toEqual({ count: 2, sums: { value: 5 } })
    expect((await table.verify()).findings).toEqual([])
    await samples.delete(other)
    expect(await table.get('all', sensor)).toEqual({ count: 1, sums: { value: 5 } })
  })
})
