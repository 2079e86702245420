import { type Account, DynamicEntity } from 'rowkey'
import { everyType } from '../with-tables.ts'

/** Stores twenty people and one order. */
export async function storeTwoTables(account: Account): Promise<void> {
  await account.createTable('people')
  await account.createTable('orders')
  const people = Array.from({ length: 20 }, (_, n) => everyType('a', `${n}`))
  await account.table('people').bulk().insert(people)
  await account.table('orders').insert(new DynamicEntity('b', '1', { n: 1 }))
}
