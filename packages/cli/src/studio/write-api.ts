import { type Account, DynamicEntity, type EntityProperty } from 'rowkey'
import { readCell } from '../rows/read-csv.ts'
import type { RowTable } from '../target/open-account.ts'
import type { RowTypes } from './row-types.ts'
import { SHOWN_IN_ROW, shownRow } from './shown-row.ts'
import { addressOf, assignmentsOf, etagOf, namesOf, type StudioApi } from './studio-input.ts'
import type { Assignment, ShownRow } from './wire.ts'

/**
 * Answers what the page changes. Each change is of the version that the page shows, and of no other.
 *
 * @param account - the account
 * @param types - the types of the models that were loaded
 */
export function writeApi(account: Account, types: RowTypes): StudioApi {
  const shown = (row: DynamicEntity, table: string): ShownRow =>
    shownRow(row, {
      limit: SHOWN_IN_ROW,
      isWhole: true,
      kindOf: (found) => types.kindOf(found, table),
    })
  return {
    async 'POST /api/insert'(input) {
      const { table, partition, row } = addressOf(input)
      const fresh = new DynamicEntity(partition, row, propertiesOf(assignmentsOf(input)))
      await account.table(table).insert(fresh, { signal: input.signal })
      const key = { partitionKey: partition, rowKey: row }
      return shown(await account.table(table).get(key, { signal: input.signal }), table)
    },

    async 'POST /api/edit'(input) {
      const { table: name, partition, row } = addressOf(input)
      const etag = etagOf(input)
      const set = propertiesOf(assignmentsOf(input))
      const remove = namesOf(input, 'remove')
      const table = account.table(name)
      const { signal } = input
      const key = { partitionKey: partition, rowKey: row }
      if (remove.length === 0) {
        await table.merge(new DynamicEntity(partition, row, set), { etag, signal })
      } else await replaceRow(table, { key, etag, set, remove, signal })
      return shown(await table.get(key, { signal }), name)
    },

    async 'POST /api/delete'(input) {
      const { table, partition, row } = addressOf(input)
      const key = { partitionKey: partition, rowKey: row }
      await account.table(table).delete(key, { etag: etagOf(input), signal: input.signal })
      return undefined
    },
  }
}

/** Reads values, each as the type that the page gives it. */
function propertiesOf(set: readonly Assignment[]): ReadonlyMap<string, EntityProperty> {
  return new Map(set.map(({ name, type, text }) => [name, readCell(type, text, name)]))
}

interface Replacement {
  readonly key: { readonly partitionKey: string; readonly rowKey: string }
  readonly etag: string
  readonly set: ReadonlyMap<string, EntityProperty>
  readonly remove: readonly string[]
  readonly signal: AbortSignal
}

/** A merge cannot remove a property, so the row is read, and written back without it. */
async function replaceRow(
  table: RowTable,
  { key, etag, set, remove, signal }: Replacement,
): Promise<void> {
  const { properties } = await table.get(key, { signal })
  const after = new DynamicEntity(key.partitionKey, key.rowKey, [...properties, ...set])
  for (const name of remove) after.delete(name)
  // When another client has changed the row, the service rejects the ETag.
  await table.replace(after, { etag, signal })
}
