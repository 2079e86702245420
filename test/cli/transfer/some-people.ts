import type { Account } from 'rowkey'
import { everyType } from '../with-tables.ts'

/** Stores three people in each of seven cities. */
export async function storeSomePeople(account: Account): Promise<void> {
  const people = account.table('people')
  await people.create()
  const rows = Array.from({ length: 21 }, (_, n) => everyType(`city-${n % 7}`, `${n}`))
  await people.bulk().insert(rows)
}
