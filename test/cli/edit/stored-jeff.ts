import { type Account, DynamicEntity } from 'rowkey'

/** Stores the row of Jeff Smith, whatever it was before. */
export async function storeJeff(account: Account): Promise<void> {
  const people = account.table('people')
  await people.createIfNotExists()
  await people.insertOrReplace(new DynamicEntity('Smith', 'Jeff', { age: 5, points: 1n }))
}

/** Returns the values of the row of Jeff Smith; `undefined` when it is missing. */
export async function jeffIn(account: Account): Promise<object | undefined> {
  const row = await account.table('people').find(['Smith', 'Jeff'])
  return row && Object.fromEntries([...row.properties].map(([name, { value }]) => [name, value]))
}
