import { defineEntity, key } from '@rowkey/mapper'
import { declareSummaries } from '@rowkey/patterns'
import type { HttpRequest } from '@rowkey/rest'
import { z } from 'zod'
import { isBatch, office } from '../employees.ts'

/** The employees of one program. A model of its own, because summaries are declared on models. */
export function program() {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      title: z.string().optional(),
      salary: z.number().optional(),
      points: z.bigint().optional(),
      phone: z.string().optional(),
    }),
  })
  const summaries = declareSummaries(Employee, {
    staff: { rowKey: key`all`, sums: ['salary', 'points'] },
    byTitle: { rowKey: key`${'title'}`, sums: ['salary'] },
    wellPaid: { rowKey: key`paid_${'title'}`, where: ({ salary = 0 }) => salary > 100 },
  })
  return { Employee, summaries }
}

/** The key of a department. */
export const sales = { department: 'Sales' }

/** An employee of Sales. */
export const employee = (id: number, title?: string, salary?: number) => ({
  ...sales,
  id,
  ...(title !== undefined && { title }),
  ...(salary !== undefined && { salary }),
})

/** An empty table of staff with its summaries. */
export async function opened() {
  const all = office()
  const { Employee, summaries } = program()
  const staff = all.account.table(Employee)
  await staff.create()
  all.sent.length = 0
  return { ...all, Employee, staff, summaries, table: summaries.on(all.account) }
}

/** Tells whether a request writes entities. */
export const isWrite = (request: HttpRequest): boolean =>
  isBatch(request) && !String(request.body).includes('~rk~cat')
