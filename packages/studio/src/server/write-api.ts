import { failureText, type RowTable, readCell, warningOfKeptRows } from '@rowkey/cli'
import type { EntityKey } from '@rowkey/odata'
import {
  type Account,
  type DeleteOperation,
  DynamicEntity,
  type EntityProperty,
  Operation,
  type WriteOperation,
} from 'rowkey'
import type { RowTypes } from './row-types.ts'
import { SHOWN_IN_ROW, shownRow } from './shown-row.ts'
import {
  assignmentsOf,
  etagOf,
  namesOf,
  placeOf,
  type RowPlace,
  type StudioApi,
  type StudioInput,
  selectedRowsOf,
  textOf,
} from './studio-input.ts'
import type { Assignment, ChangedSelection, ShownRow, TableWarning } from './wire.ts'

/**
 * Answers what the page changes. Each change is of the version that the page shows, and of no other.
 *
 * @param account - the account
 * @param types - the types of the models that were loaded
 */
export function writeApi(account: Account, types: RowTypes): StudioApi {
  const stored = async (place: RowPlace, signal: AbortSignal): Promise<ShownRow> => {
    const row = await account.table(place.table).get(place, { signal })
    const kind = types.kindOf(row, place.table)
    return shownRow(row, { limit: SHOWN_IN_ROW, isWhole: true, kind })
  }
  return {
    async 'GET /api/warning'(input): Promise<TableWarning> {
      const table = account.table(textOf(input, 'table'))
      return { warning: await warningOfKeptRows(table, input.signal) }
    },

    async 'POST /api/insert'(input) {
      const place = placeOf(input)
      const set = propertiesOf(assignmentsOf(input))
      const fresh = new DynamicEntity(place.partitionKey, place.rowKey, set)
      await account.table(place.table).insert(fresh, { signal: input.signal })
      return stored(place, input.signal)
    },

    async 'POST /api/edit'(input) {
      const key = placeOf(input)
      const etag = etagOf(input)
      const set = propertiesOf(assignmentsOf(input))
      const remove = namesOf(input, 'remove')
      const table = account.table(key.table)
      const { signal } = input
      if (remove.length === 0) {
        await table.merge(new DynamicEntity(key.partitionKey, key.rowKey, set), { etag, signal })
      } else await replaceRow(table, { key, etag, set, remove, signal })
      return stored(key, signal)
    },

    async 'POST /api/delete'(input) {
      const { table, ...key } = placeOf(input)
      await account.table(table).delete(key, { etag: etagOf(input), signal: input.signal })
      return undefined
    },

    async 'POST /api/delete-rows'(input) {
      const writes = selectedRowsOf(input).map(({ partition, row, etag }) =>
        Operation.delete({ partitionKey: partition, rowKey: row }, { etag }),
      )
      return changed(account, input, writes)
    },

    async 'POST /api/edit-rows'(input) {
      const set = propertiesOf(assignmentsOf(input))
      const writes = selectedRowsOf(input).map(({ partition, row, etag }) =>
        Operation.merge(new DynamicEntity(partition, row, set), { etag }),
      )
      return changed(account, input, writes)
    },
  }
}

/** The most rows that are named when they fail. */
const MOST_NAMED = 20

/** Changes the rows of a selection. A row that has another version by now stays as it is, and does not keep others from being changed. */
async function changed(
  account: Account,
  input: StudioInput,
  writes: Iterable<SelectionWrite>,
): Promise<ChangedSelection> {
  const run = account.table(textOf(input, 'table')).bulk({ signal: input.signal }).execute(writes)
  const { done, failed, unknown, failures, ending } = await run.summary()
  // Rejects for the same reason as the run itself, when it ended early.
  if (ending !== 'complete') await run
  return {
    done,
    failed: failed + unknown,
    failures: failures.slice(0, MOST_NAMED).map(({ item, error }) => {
      const write = item as SelectionWrite // the run has no others
      const { partitionKey, rowKey } = 'target' in write ? write.target : write.entity
      return { partition: partitionKey, row: rowKey, message: failureText(error) }
    }),
  }
}

type SelectionWrite = DeleteOperation<EntityKey> | WriteOperation<'merge', DynamicEntity>

/** Reads values, each as the type that the page gives it. */
function propertiesOf(set: readonly Assignment[]): ReadonlyMap<string, EntityProperty> {
  return new Map(set.map(({ name, type, text }) => [name, readCell(type, text, name)]))
}

interface Replacement {
  readonly key: EntityKey
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
