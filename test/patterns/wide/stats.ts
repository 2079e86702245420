import { defineEntity, key } from '@rowkey/mapper'
import { wideEntity } from '@rowkey/patterns'
import { z } from 'zod'
import { office } from '../employees.ts'

/** The properties of the first row. */
export const FirstHalf = defineEntity({
  name: 'stats',
  partitionKey: key`${'department'}`,
  rowKey: key`${'employee:6'}_01`,
  schema: z.object({
    department: z.string(),
    employee: z.int(),
    name: z.string().optional(),
    day1: z.int32().optional(),
  }),
})

/** The properties of the second row. */
export const SecondHalf = defineEntity({
  name: 'stats',
  partitionKey: key`${'department'}`,
  rowKey: key`${'employee:6'}_02`,
  schema: z.object({
    department: z.string(),
    employee: z.int(),
    unit: z.string().default('messages'),
    day365: z.int32().optional(),
  }),
})

/** The wide entity of both rows. */
export const Stats = wideEntity(FirstHalf, SecondHalf)

/** The key of an entity. */
export const jones = { department: 'Sales', employee: 223 }

/** An empty table of stats. */
export async function opened() {
  const all = office()
  await all.account.createTable('stats')
  all.sent.length = 0
  return { ...all, stats: Stats.on(all.account) }
}
