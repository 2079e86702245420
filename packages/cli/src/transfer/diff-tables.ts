import { compareKeys, hasSameProperties } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { DynamicEntity } from 'rowkey'
import type { RowQuery } from '../condition/query-options.ts'
import { cliInputError } from '../errors/codes.ts'
import type { LineChange } from '../rows/row-line.ts'

/** A difference: what to do with a row of the second table so that it becomes as the first. */
export interface RowDifference {
  readonly change: LineChange
  /** The row of the first table; of the second one when it is to be deleted. */
  readonly row: DynamicEntity
}

/** One of two tables that are compared. */
export interface DiffSide {
  readonly query: RowQuery
  /** Whether its rows come in the order of their keys; those of Cosmos DB do not, and are sorted in memory. */
  readonly isSorted: boolean
}

/**
 * Compares the rows of two queries in the order of their keys. Timestamps and ETags do not count. It holds a few pages of each, whatever their size.
 *
 * @param first - the rows as they should be
 * @param second - the rows that may differ
 * @param options - the options of each request
 * @param onRows - called with a number of rows that were compared
 * @throws InputError with the code `UnsortedRows` for rows that are said to be sorted, and are not
 */
export async function* diffRows(
  first: DiffSide,
  second: DiffSide,
  options: CallOptions,
  onRows: (rows: number) => void,
): AsyncGenerator<RowDifference, void, undefined> {
  const [wanted, stored] = [sortedRows(first, options), sortedRows(second, options)]
  try {
    let [one, other] = await Promise.all([wanted.next(), stored.next()])
    while (!one.done || !other.done) {
      onRows(1)
      const [row, old] = [one.value ?? undefined, other.value ?? undefined]
      const order = orderOf(row, old)
      if (order <= 0) one = await wanted.next()
      if (order >= 0) other = await stored.next()
      if (order < 0) yield { change: 'insert', row: row as DynamicEntity }
      else if (order > 0) yield { change: 'delete', row: keyOnly(old as DynamicEntity) }
      else if (
        !hasSameProperties((row as DynamicEntity).properties, (old as DynamicEntity).properties)
      ) {
        yield { change: 'replace', row: row as DynamicEntity }
      }
    }
  } finally {
    await Promise.all([wanted.return(), stored.return()])
  }
}

/** Compares two rows by their keys; a side that has ended comes last. */
function orderOf(one: DynamicEntity | undefined, other: DynamicEntity | undefined): number {
  if (one === undefined) return 1
  return other === undefined ? -1 : compareKeys(one, other)
}

const keyOnly = ({ partitionKey, rowKey }: DynamicEntity): DynamicEntity =>
  new DynamicEntity(partitionKey, rowKey)

async function* sortedRows(
  { query, isSorted }: DiffSide,
  options: CallOptions,
): AsyncGenerator<DynamicEntity, void, undefined> {
  const all = query.allowTableScan()
  if (!isSorted) return yield* (await all.toArray(options)).sort(compareKeys)
  let last: DynamicEntity | undefined
  for await (const row of all.rows(options)) {
    if (last !== undefined && compareKeys(last, row) >= 0) {
      throw cliInputError(
        'UnsortedRows',
        `The row ${JSON.stringify([row.partitionKey, row.rowKey])} does not come in the order of keys. If this is Cosmos DB, give --flavour cosmos, or --to-flavour cosmos for the second account.`,
      )
    }
    yield row
    last = row
  }
}
