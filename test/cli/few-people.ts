import { type Account, DynamicEntity } from 'rowkey'
import { everyType } from './with-tables.ts'

/** Stores one Smith with a value of every type, five Joneses, and an empty table of orders. */
export async function storeFewPeople(account: Account): Promise<void> {
  await account.createTable('people')
  await account.createTable('orders')
  const people = account.table('people')
  await people.insert(everyType('Smith', 'Jeff'))
  for (let n = 0; n < 5; n++) await people.insert(new DynamicEntity('Jones', `${n}`, { n }))
}
