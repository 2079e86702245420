import type { EntityKey } from '@rowkey/odata'
import { keptMark } from '@rowkey/rest'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { jsonIn } from '../shell/files.ts'
import { lacksPermission } from '../target/lacks-permission.ts'
import type { RowTable } from '../target/open-account.ts'
import type { VersionCount, VersionedModel } from './model-versions.ts'

/** What the catalogue of a table says of the versions of a model. */
export interface LedgerEntry {
  /** When the rows were counted: ISO 8601. */
  readonly countedAt: string
  /** The rows of each version then, by number. */
  readonly versions: Readonly<Record<string, number>>
  /** The newest version then. */
  readonly newest: number
  /** Since when every count has found only rows of the newest version; absent while there are others. */
  readonly nothingBelowSince?: string | undefined
}

/** The property that holds the entry as JSON. */
const ENTRY = 'Versions'

/** The ledger is in the partition of the catalogue: one row for each model. */
function keyOf({ model }: VersionedModel): EntityKey {
  const { partitionKey, rowKey, discriminator } = model
  const signs = [rowKey.prefix({}), discriminator?.value ?? '', partitionKey.prefix({})]
  const mark = encodeURIComponent(JSON.stringify(signs)).replaceAll('~', '%7E')
  return { partitionKey: keptMark, rowKey: `${keptMark}ver~${mark}` }
}

/**
 * Reads what the last count found.
 *
 * @param table - the table
 * @param model - the model
 * @param signal - cancels the request
 * @returns `undefined` before the first count, and for a credential that may not read the catalogue
 * @throws InputError with the code `UnreadableInput` for a row that something else has written
 * @throws every other error: without the last count, the time since when nothing is old would be lost
 */
export async function readLedger(
  table: RowTable,
  model: VersionedModel,
  signal: AbortSignal,
): Promise<LedgerEntry | undefined> {
  const key = keyOf(model)
  const row = await table.find(key, { signal }).catch((error: unknown) => {
    if (lacksPermission(error)) return undefined
    throw error
  })
  if (row === undefined) return undefined
  const entry = jsonIn(String(row.get(ENTRY)?.value))
  if (isEntry(entry)) return entry
  const shown = JSON.stringify([key.partitionKey, key.rowKey])
  const reason = `The row ${shown} of ${table.name} is not a count of versions. Delete it: the next count begins anew.`
  throw cliInputError('UnreadableInput', reason)
}

function isEntry(value: unknown): value is LedgerEntry {
  const { countedAt, versions, newest, nothingBelowSince: since } = Object(value)
  return (
    [countedAt, since ?? countedAt].every((time) => !Number.isNaN(Date.parse(time))) &&
    Object.values(Object(versions)).every(Number.isSafeInteger) &&
    Number.isSafeInteger(newest)
  )
}

/**
 * Records a count.
 *
 * @param table - the table
 * @param count - what was found
 * @param signal - cancels the requests
 */
export async function writeLedger(
  table: RowTable,
  { model, countedAt, versions, old }: VersionCount,
  signal: AbortSignal,
): Promise<LedgerEntry> {
  const before = await readLedger(table, model, signal)
  const since = before?.newest === model.newest ? before.nothingBelowSince : undefined
  const entry: LedgerEntry = {
    countedAt,
    versions: Object.fromEntries(versions),
    newest: model.newest,
    ...(old === 0 && { nothingBelowSince: since ?? countedAt }),
  }
  const { partitionKey, rowKey } = keyOf(model)
  const row = new DynamicEntity(partitionKey, rowKey, {
    [ENTRY]: EntityProperty.string(JSON.stringify(entry)),
  })
  await table.insertOrReplace(row, { signal })
  return entry
}
