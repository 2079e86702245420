import type { Account } from 'rowkey'
import { everyType } from './with-tables.ts'

/** How many people there are, a thirteenth in each city. */
export const PEOPLE = 1_300

/** Stores people with a value of every type. */
export async function storePeople(account: Account): Promise<void> {
  const people = account.table('people')
  await people.create()
  const rows = Array.from({ length: PEOPLE }, (_, n) => everyType(`city-${n % 13}`, `person-${n}`))
  await people.bulk().insert(rows)
}
