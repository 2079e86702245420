import type { StoredEntity } from '../entity/stored-entity.ts'
import { EVERYTHING } from '../keys/key-range.ts'
import { NEW_SERVICE } from '../service-properties/service-properties.ts'
import type { StoredTable, TableStore } from './table-store.ts'

/** Rows to write at a time. */
const CHUNK = 1000

/**
 * Replaces the content of a store by that of another. Rows never change, so the two share them.
 *
 * @param accounts - the accounts whose tables and properties are copied
 */
export async function copyStore(
  from: TableStore,
  to: TableStore,
  accounts: readonly string[],
): Promise<void> {
  await clearStore(to, accounts)
  for (const account of accounts) {
    await to.setProperties(account, await from.properties(account))
    for (const name of await from.tableNames(account)) {
      await to.createTable(account, name)
      const source = await from.findTable(account, name)
      const target = await to.findTable(account, name)
      if (source !== undefined && target !== undefined) await copyTable(source, target)
    }
  }
}

/** Drops every table and resets all properties. */
export async function clearStore(store: TableStore, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) {
    await store.setProperties(account, NEW_SERVICE)
    for (const name of await store.tableNames(account)) await store.dropTable(account, name)
  }
}

async function copyTable(from: StoredTable, to: StoredTable): Promise<void> {
  await to.setPolicies(await from.policies())
  const rows: StoredEntity[] = []
  await from.scan(EVERYTHING, (row) => rows.push(row) > 0)
  for (let first = 0; first < rows.length; first += CHUNK) {
    const chunk = rows.slice(first, first + CHUNK)
    await to.change(chunk, () => chunk)
  }
}
