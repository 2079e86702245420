import { describe, expect, it } from 'vitest'
import { day, logins } from './logins.ts'

describe('PeriodTables', () => {
  it.each([
    ['hour', 'Logins2026110112'],
    ['day', 'Logins20261101'],
    ['month', 'Logins202611'],
    ['year', 'Logins2026'],
  ] as const)('names the tables of a period of one %s', async (period, name) => {
    const { tables, names } = logins(period)
    expect(tables.tableAt(day(1)).name).toBe(name)
    await tables.insert({ user: 'jones', at: day(1) })
    expect(await names()).toEqual([name])
  })

  it.each([-1200, 50, 1600, 10_000])(
    'rejects a row of the year %i and creates no table',
    async (year) => {
      const { tables, sent } = logins()
      const at = new Date(0)
      at.setUTCFullYear(year)
      await expect(tables.insert({ user: 'jones', at })).rejects.toMatchObject({
        code: 'InvalidPatternOption',
        message: expect.stringContaining(`got the year ${year}`),
      })
      expect(sent).toEqual([])
    },
  )
})
