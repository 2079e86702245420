import { defineEntity, key } from '@rowkey/mapper'
import { type Period, periodTables } from '@rowkey/patterns'
import { z } from 'zod'
import { office } from '../employees.ts'

/** A login of a user, at its time. */
export const Login = defineEntity({
  name: 'logins',
  partitionKey: key`${'user'}`,
  rowKey: key`${'at:time'}`,
  schema: z.object({ user: z.string(), at: z.date() }),
})

/** A time in November 2026. */
export const day = (date: number, hour = 12) => new Date(Date.UTC(2026, 10, date, hour))

/** Tables of logins, one for each period. */
export function logins(period: Period = 'day') {
  const opened = office()
  const tables = periodTables(Login, {
    prefix: 'Logins',
    period,
    at: ({ at }) => at,
  }).on(opened.account)
  const names = async () => {
    const found: string[] = []
    for await (const { name } of tables.periods()) found.push(name)
    return found
  }
  return { ...opened, tables, names }
}
