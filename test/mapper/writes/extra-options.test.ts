import { union } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'

const unknownOption = expect.objectContaining({ code: 'UnknownOption' })
const invalidOption = expect.objectContaining({ code: 'InvalidOptionValue' })

/** Calls a method as JavaScript may. */
function call(target: object, method: string, ...given: unknown[]): unknown {
  return Reflect.apply(Reflect.get(target, method), target, given)
}

describe('options where a method has none', () => {
  const jeff = customer('Smith', 'Jeff')

  it.each(['batch', 'query'])('%s() rejects them', (method) => {
    const { account } = freshAccount()
    const everyone = account.table('people', union(Customer))
    for (const table of [account.table(Customer), everyone]) {
      expect(() => call(table, method, { etag: '*' })).toThrow(unknownOption)
      expect(() => call(table, method, 5)).toThrow(invalidOption)
      expect(() => call(table, method)).not.toThrow()
    }
  })

  it.each(['insert', 'insertOrMerge', 'insertOrReplace', 'retrieve'])(
    'batch().%s rejects them',
    async (method) => {
      const { table } = await freshTable(Customer)
      const batch = table.batch()
      expect(() => call(batch, method, jeff, { etag: '*' })).toThrow(unknownOption)
      expect(() => call(batch, method, jeff, 5)).toThrow(invalidOption)
      expect(batch.size).toBe(0)
    },
  )

  it.each(['insert', 'insertOrMerge', 'insertOrReplace', 'execute'])(
    'bulk().%s rejects them',
    async (method) => {
      const { table } = await freshTable(Customer)
      expect(() => call(table.bulk(), method, [jeff], { etag: '*' })).toThrow(unknownOption)
      expect(() => call(table.bulk(), method, [jeff], 5)).toThrow(invalidOption)
    },
  )

  it.each(['insert', 'insertOrMerge', 'insertOrReplace', 'add'])(
    'buffered().%s rejects them',
    async (method) => {
      const { table, sent } = await freshTable(Customer)
      const writer = table.buffered()
      await expect(call(writer, method, jeff, { etag: '*' })).rejects.toThrow(unknownOption)
      await expect(call(writer, method, jeff, 5)).rejects.toThrow(invalidOption)
      await writer.close()
      expect(sent).toEqual([])
    },
  )
})

describe('options of a query that are not an object', () => {
  it.each([5, true, () => {}])('%s is rejected', async (given) => {
    const { table, sent } = await freshTable(Customer)
    const query = table.query().where({ lastName: 'Smith' })
    await expect(call(query, 'forEach', () => {}, given)).rejects.toThrow(invalidOption)
    expect(() => call(query, 'byPage', given)).toThrow(invalidOption)
    await expect(call(query, 'page', given)).rejects.toThrow(invalidOption)
    expect(sent).toEqual([])
  })
})
