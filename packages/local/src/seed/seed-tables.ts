import {
  annotationName,
  findJsonLoss,
  isRawEntity,
  isRowkeyError,
  parseEntityJson,
  type RawEntity,
} from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { checkEntity } from '../entity/check-entity.ts'
import { decodeProperties } from '../entity/decode-properties.ts'
import { printEntityText } from '../entity/entity-text.ts'
import { StoredEntity } from '../entity/stored-entity.ts'
import { localInputError } from '../errors/codes.ts'
import { checkKey } from '../keys/check-key.ts'
import { checkTableName } from '../operations/create-table.ts'
import type { Service } from '../service/service.ts'
import { foldedName } from '../store/table-store.ts'

/** The first rows of a table: the keys, and what makes each row with the time of its write. */
interface SeedTable {
  readonly name: string
  readonly rows: readonly SeedRow[]
}

interface SeedRow {
  readonly partitionKey: string
  readonly rowKey: string
  readonly properties: ReturnType<typeof decodeProperties>
}

/**
 * Stores the first rows of tables. Everything is checked before the first row is stored. A table that exists already keeps its rows, so that
 * a second start changes nothing.
 *
 * @param service - the service
 * @param account - whose tables they are
 * @param text - JSON: an object with a list of rows for each table
 * @throws InputError (`InvalidSeed`) naming the table and the row
 */
export async function seedTables(
  { store, flavour, clock }: Pick<Service, 'store' | 'flavour' | 'clock'>,
  account: string,
  text: string,
): Promise<void> {
  for (const { name, rows } of readSeed(text, flavour)) {
    if (!(await store.createTable(account, name))) continue
    try {
      const table = await store.findTable(account, name)
      await table?.change(rows, () =>
        rows.map((row) => new StoredEntity(printEntityText(row, clock.stamp(), row.properties))),
      )
    } catch (error) {
      // The next start would leave the table as it is.
      await store.dropTable(account, name)
      throw error
    }
  }
}

function readSeed(marked: string, flavour: Flavour | undefined): readonly SeedTable[] {
  const text = marked.replace(/^\uFEFF/, '')
  let tables: unknown
  try {
    tables = parseEntityJson(text)
  } catch (cause) {
    throw invalidSeed(`it is not JSON: ${(cause as Error).message}`)
  }
  const loss = findJsonLoss(text)
  if (loss !== undefined) throw invalidSeed(`line ${loss.line}: ${loss.reason.replace(/\.$/, '')}`)
  if (!isRawEntity(tables)) throw invalidSeed('it must be an object with a list for each table')
  const names = new Map<string, string>()
  return Object.entries(tables).map(([name, rows]) => {
    checked(`'${name}'`, () => checkTableName(name, flavour))
    if (!Array.isArray(rows)) throw invalidSeed(`'${name}' must be a list of rows`)
    const same = names.get(foldedName(name, flavour))
    if (same !== undefined) throw invalidSeed(`'${same}' and '${name}' are one table`)
    names.set(foldedName(name, flavour), name)
    return { name, rows: readRows(name, rows, flavour) }
  })
}

function readRows(
  table: string,
  rows: readonly unknown[],
  flavour: Flavour | undefined,
): readonly SeedRow[] {
  const keys = new Map<string, number>()
  return rows.map((row, index) => {
    const place = `row ${index} of '${table}'`
    const read = readRow(place, row, flavour)
    const key = JSON.stringify([read.partitionKey, read.rowKey])
    const same = keys.get(key)
    if (same !== undefined) throw invalidSeed(`${place} has the key of row ${same}`)
    keys.set(key, index)
    return read
  })
}

function readRow(place: string, row: unknown, flavour: Flavour | undefined): SeedRow {
  const members: RawEntity = isRawEntity(row) ? row : {}
  const { PartitionKey: partitionKey, RowKey: rowKey } = members
  if (typeof partitionKey !== 'string' || typeof rowKey !== 'string') {
    throw invalidSeed(`${place} must be an object with PartitionKey and RowKey`)
  }
  const key = { partitionKey, rowKey }
  checked(place, () => checkKey(key, flavour))
  const properties = Object.keys(members).flatMap((name) => {
    const annotation = annotationName(name)
    const member = { [name]: members[name], [annotation]: members[annotation] }
    return checked(`'${name}' in ${place}`, () => decodeProperties(member, flavour))
  })
  checked(place, () => checkEntity(key, properties, flavour))
  return { ...key, properties }
}

/** Names the place in what the service says of a wrong request. */
function checked<Result>(place: string, check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    const reason = isRowkeyError(error.cause) ? error.cause.message : error.message
    throw invalidSeed(`${place}: ${reason.replace(/\.$/, '')}`)
  }
}

function invalidSeed(problem: string): Error {
  return localInputError({
    code: 'InvalidSeed',
    message: `The first rows are invalid: ${problem}.`,
  })
}
