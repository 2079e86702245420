import { type Account, defineEntity, key } from '@rowkey/mapper'
import { declareSummaries } from '@rowkey/patterns'
import { describe, it } from 'vitest'
import { z } from 'zod'

declare const account: Account
const define = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      title: z.string().optional(),
      salary: z.number().optional(),
      points: z.bigint(),
    }),
  })

describe('the types of summaries follow the model', () => {
  it('a key names properties of the entity, with the types of their formats', () => {
    declareSummaries(define(), { one: { rowKey: key`t_${'title'}_${'id:6'}` } })
    // @ts-expect-error the entity has no property of this name
    declareSummaries(define(), { one: { rowKey: key`t_${'titel'}` } })
    // @ts-expect-error a salary is a number, and the part needs text
    declareSummaries(define(), { one: { rowKey: key`t_${'salary'}` } })
  })

  it('sums name numbers and bigints', () => {
    declareSummaries(define(), { one: { rowKey: key`one`, sums: ['salary', 'points', 'id'] } })
    // @ts-expect-error a title cannot be added up
    declareSummaries(define(), { one: { rowKey: key`one`, sums: ['title'] } })
    // @ts-expect-error the entity has no property of this name
    declareSummaries(define(), { one: { rowKey: key`one`, sums: ['salery'] } })
    declareSummaries(define(), {
      // @ts-expect-error where gets an entity
      one: { rowKey: key`one`, where: ({ salery }) => salery > 1 },
    })
  })

  it('reads name a summary, the partition and the group', () => {
    const table = declareSummaries(define(), {
      staff: { rowKey: key`staff` },
      titles: { rowKey: key`t_${'title'}` },
    }).on(account)
    void (() => table.get('staff', { department: 'Sales' }))
    void (() => table.get('titles', { department: 'Sales', title: 'dev' }))
    // @ts-expect-error the summary needs a title
    void (() => table.get('titles', { department: 'Sales' }))
    // @ts-expect-error a title is text
    void (() => table.get('titles', { department: 'Sales', title: 5 }))
    // @ts-expect-error nothing of this name is grouped by
    void (() => table.get('staff', { department: 'Sales', pp: 'x' }))
    // @ts-expect-error no summary has this name
    void (() => table.get('stuff', { department: 'Sales' }))
    // @ts-expect-error the partition has no property of this name
    void (() => table.verify({ departement: 'Sales' }))
  })
})
