import { key } from '@rowkey/mapper'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { office } from '../employees.ts'
import { employee, opened, program, sales } from './staff-summaries.ts'

describe('declareSummaries', () => {
  it('queries of the table never read summaries', async () => {
    const { staff } = await opened()
    await staff.insert(employee(1, 'dev', 1))
    expect(await staff.query().where(sales).count()).toBe(1)
  })

  it('works beside indexes of the same model', async () => {
    const { Employee, summaries } = program()
    declareIndexes(Employee, { phone: { rowKey: key`${'phone'}`, unique: true } })
    const { account } = office()
    const staff = account.table(Employee)
    await staff.create()
    await staff.insert({ ...employee(1), phone: '123' })
    await expect(staff.insert({ ...employee(2), phone: '123' })).rejects.toThrow()
    expect(await summaries.on(account).get('staff', sales)).toMatchObject({ count: 1 })
  })
})

describe('declareSummaries rejects', () => {
  it('unknown properties, sums of text and unknown summaries', async () => {
    const { Employee } = program()
    const declare = (rowKey: ReturnType<typeof key>, sums: readonly never[] = []) =>
      declareSummaries(Employee, { one: { rowKey, sums } })
    expect(() => declare(key`${'missing'}`)).toThrow(/not a stored property/)
    expect(() => declare(key`${'title'}`, ['title' as never])).toThrow(
      /staff.title: It is stored as String, so Summary one of staff cannot add it up/,
    )
    const { table, staff } = await opened()
    await expect(table.get('other' as never, sales as never)).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
    expect(staff.name).toBe('staff')
  })
})
