import { periodTables } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { day, Login, logins } from './logins.ts'

describe('PeriodTables', () => {
  it('R-154: stores each row in the table of its time, and creates tables on demand', async () => {
    const { tables, names, sent } = logins()
    await tables.insert({ user: 'jones', at: day(2) })
    await tables.insert({ user: 'jones', at: day(1) })
    sent.length = 0
    await tables.insert({ user: 'adams', at: day(1) })
    expect(sent).toHaveLength(1)
    expect(await names()).toEqual(['Logins20261101', 'Logins20261102'])
    expect(await tables.tableAt(day(1)).query().allowTableScan().count()).toBe(2)
  })

  it.each(['', '1logs', 'logs2026', 'my_logs', 'x'.repeat(54)])(
    'rejects the prefix "%s"',
    (prefix) => {
      const make = () => periodTables(Login, { prefix, period: 'day', at: ({ at }) => at })
      expect(make).toThrow(/prefix of periodTables/)
    },
  )
})
