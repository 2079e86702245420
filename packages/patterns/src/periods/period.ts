import { invalidPatternOption } from '../errors/codes.ts'

/** The years that a DateTime stores. Names of other years would not be found again. */
export const FIRST_YEAR = 1601
export const LAST_YEAR = 9999

export function invalidYear(year: number): Error {
  return invalidPatternOption(
    `The time of a table of periodTables must be in the years ${FIRST_YEAR} to ${LAST_YEAR}; got the year ${year}. Correct the time of the row.`,
  )
}

/** How long the rows of one table span, in UTC. */
export type Period = 'hour' | 'day' | 'month' | 'year'

/** The number of digits of a period in the name of a table: `2026112015` of an hour. */
const DIGITS: Readonly<Record<Period, number>> = { hour: 10, day: 8, month: 6, year: 4 }

/** Prints the period that a time is in, in UTC: `20261120` for a day. Later periods sort after earlier ones. */
export function printPeriod(period: Period, at: Date): string {
  return at.toISOString().replace(/[-T:]/g, '').slice(0, DIGITS[period])
}

/** Returns when a printed period begins; `undefined` for any other text. */
export function parsePeriod(period: Period, text: string): Date | undefined {
  const match = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?$/.exec(text)
  if (match === null || text.length !== DIGITS[period]) return undefined
  const [year = 0, month = 1, day = 1, hour = 0] = match
    .slice(1)
    .map((each) => (each === undefined ? undefined : Number(each)))
  const start = new Date(Date.UTC(year, month - 1, day, hour))
  return printPeriod(period, start) === text ? start : undefined
}

/** Returns when the next period begins. */
export function endOfPeriod(period: Period, start: Date): Date {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  if (period === 'year') return new Date(Date.UTC(year + 1, 0))
  if (period === 'month') return new Date(Date.UTC(year, month + 1))
  return new Date(start.getTime() + (period === 'day' ? 86_400_000 : 3_600_000))
}
