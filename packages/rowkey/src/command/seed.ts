import type { LocalTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import {
  type DynamicEntity,
  dynamicEntityCodec,
  isRawEntity,
  isRowkeyError,
  parseEntityJson,
  type RawEntity,
} from '@rowkey/odata'
import { noRetry, tableService } from '@rowkey/rest'
import { invalidCommand } from './invalid-command.ts'

/** The first rows of tables, by the names of the tables. */
export type Seed = ReadonlyMap<string, readonly DynamicEntity[]>

/**
 * Reads a file of first rows: an object with a list for each table. A row is written as the service writes it, with the
 * types that JSON does not show: `{ "people": [{ "PartitionKey": "a", "RowKey": "b", "n@odata.type": "Edm.Int64", "n": "5" }] }`.
 *
 * @throws InputError (`InvalidCommand`) naming the table and the row
 */
export function readSeed(text: string): Seed {
  let tables: unknown
  try {
    tables = parseEntityJson(text.replace(/^\uFEFF/, ''))
  } catch {
    throw invalidSeed('it is not JSON')
  }
  if (!isRawEntity(tables)) throw invalidSeed('it must be an object with a list for each table')
  return new Map(
    Object.entries(tables).map(([table, rows]) => {
      if (!Array.isArray(rows)) throw invalidSeed(`'${table}' must be a list of rows`)
      return [table, rows.map((row: unknown, index) => readRow(table, index, row))]
    }),
  )
}

function readRow(table: string, index: number, row: unknown): DynamicEntity {
  const { PartitionKey, RowKey }: RawEntity = isRawEntity(row) ? row : {}
  if (typeof PartitionKey !== 'string' || typeof RowKey !== 'string') {
    throw invalidSeed(`row ${index} of '${table}' must be an object with PartitionKey and RowKey`)
  }
  try {
    return dynamicEntityCodec.read(row as RawEntity)
  } catch (error) {
    throw invalidSeed(`row ${index} of '${table}': ${(error as Error).message}`)
  }
}

/**
 * Stores the first rows. A table that exists already keeps its rows, so that a second start changes nothing.
 *
 * @throws InputError (`InvalidCommand`) for a name or a row that the service rejects
 */
export async function storeSeed(local: LocalTableService, seed: Seed): Promise<void> {
  const account = new Account(
    tableService({
      connectionString: local.connectionString(),
      transport: local.transport,
      retry: noRetry,
    }),
  )
  const stored = new Map<string, string>()
  for (const [name, rows] of seed) {
    const isStored = await storeTable(account, name, rows).catch((error: unknown) => {
      throw isRowkeyError(error) ? invalidSeed(`'${name}': ${error.message}`) : error
    })
    const same = stored.get(name.toLowerCase())
    if (isStored) stored.set(name.toLowerCase(), name)
    else if (same !== undefined) throw invalidSeed(`'${same}' and '${name}' are one table`)
  }
}

/** Creates a table with all of its rows, or not at all: the next start leaves a table as it is. */
async function storeTable(
  account: Account,
  name: string,
  rows: readonly DynamicEntity[],
): Promise<boolean> {
  const table = account.table(name)
  if (!(await table.createIfNotExists())) return false
  try {
    await table.bulk().insert(rows)
    return true
  } catch (error) {
    await table.drop()
    throw error
  }
}

function invalidSeed(problem: string): Error {
  return invalidCommand(`The file of --seed is invalid: ${problem}.`)
}
