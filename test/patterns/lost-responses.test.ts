import { defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { AmbiguousWriteError, exponentialRetry, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isBatch, office } from './employees.ts'

const schema = z.object({
  department: z.string(),
  id: z.int(),
  title: z.string().optional(),
  phone: z.string().optional(),
})

const defineStaff = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema,
  })

type Staff = ReturnType<typeof defineStaff>

/** Declarations whose kept row for a title has the same content for each program that stores it. */
const declarations: Readonly<Record<string, (staff: Staff) => unknown>> = {
  summaries: (staff) => declareSummaries(staff, { byTitle: { rowKey: key`title_${'title'}` } }),
  'unique indexes': (staff) =>
    declareIndexes(staff, { byTitle: { rowKey: key`title_${'title'}`, unique: true } }),
}

describe('a write whose request was lost', () => {
  it.each(Object.keys(declarations))(
    'R-24: is not taken for applied because another program stored an equal row: %s',
    async (name) => {
      const { account, rival, between } = office()
      const [mine, theirs] = [defineStaff(), defineStaff()]
      for (const staff of [mine, theirs]) declarations[name]?.(staff)
      const employees = account.table(mine)
      await employees.create()
      const jones = { department: 'Sales', id: 1 }
      const employee = await employees.insert(jones)
      between(isBatch, async () => {
        const others = rival().table(theirs)
        const id = name === 'summaries' ? 2 : 1
        if (id === 2) await others.insert({ ...jones, id })
        await others.modify({ ...jones, id }, (other) => {
          other.title = 'dev'
        })
        await others.modify(jones, (other) => {
          other.phone = '1'
        })
        throw new TransportError({ message: 'The request was lost.', mayHaveApplied: true })
      })
      Object.assign(employee, { title: 'dev', phone: '2' })
      const writing = employees.merge(employee, { retry: exponentialRetry() })
      await expect(writing).rejects.toThrow(AmbiguousWriteError)
      expect((await employees.get(jones)).phone).toBe('1')
    },
  )
})
