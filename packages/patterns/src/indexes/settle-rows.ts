import { type KeptTable, requestsInOrder } from '@rowkey/mapper'
import { and, keyOfRaw } from '@rowkey/odata'
import { type Call, type CallOptions, type Change, callOf } from '@rowkey/rest'
import type { DerivedFinding } from '../derived/compare.ts'
import { insertKept, storeOnce, storeTogether } from '../rows/changes.ts'
import { inPartition, textIs } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { etagOf, isSameKey, keyText } from '../rows/stored-row.ts'
import { transactionsOf } from '../rows/transactions-of.ts'
import type { Difference } from './compare-rows.ts'
import {
  type EntryFollower,
  findings,
  type IndexScrub,
  repairOf,
  settleRow,
  type WrongRow,
} from './settle-row.ts'

/** Settles rows, most of them together. Returns what was wrong. */
export async function settleRows(
  rows: readonly WrongRow[],
  scrub: IndexScrub,
): Promise<readonly DerivedFinding[]> {
  const repaired = new Set(await repairedOf(rows, scrub))
  const single = rows.filter((row) => !repaired.has(row))
  const settle = (row: WrongRow, options: CallOptions) => settleRow({ ...scrub, options }, row)
  return [
    ...[...repaired].flatMap((row) => findings(row, true)),
    ...(await gather(single, settle, scrub)),
  ]
}

/** Repairs the rows that can be repaired together, and returns them. */
async function repairedOf(
  rows: readonly WrongRow[],
  scrub: IndexScrub,
): Promise<readonly WrongRow[]> {
  if (!scrub.repair) return []
  if (scrub.follower !== undefined) return insertTogether(rows, scrub, scrub.follower)
  return repairTogether(rows, scrub)
}

/** Repairs entries in transactions with their rows. */
async function repairTogether(
  rows: readonly WrongRow[],
  scrub: IndexScrub,
): Promise<readonly WrongRow[]> {
  const { table } = scrub
  const repairs = rows
    .filter((row) => row.every(hasNoRival))
    .map((row): RowRepair => ({ row, changes: repairOf(table.name, row) }))
  const repairAll = async (group: readonly RowRepair[], options: CallOptions) => {
    const stored = await storeTogether(table, changesOf(group), options)
    return stored === undefined ? [] : group.map(({ row }) => row)
  }
  return gather(transactionsOf(repairs, table.service, scrub.options), repairAll, scrub)
}

/**
 * Inserts entries in other partitions in transactions. Their rows are not in these, so they are read once more, as after each insert of
 * {@link followRow}: a row that has changed is settled by itself, and so are those whose transaction another program was faster than, or
 * may have been.
 */
async function insertTogether(
  rows: readonly WrongRow[],
  scrub: IndexScrub,
  follower: EntryFollower,
): Promise<readonly WrongRow[]> {
  const { table, options } = scrub
  const { service } = table
  const lacking = byPartition(rows.filter((row) => row.every(isMissing)))
  const free = await gather(
    lacking,
    async (own) => {
      const isPending = await follower.pending(own[0][0].row.partitionKey)
      return own.filter((row) => !row.some(isPending))
    },
    scrub,
  )
  const inserted: WrongRow[] = []
  for (const index of scrub.definitions) {
    const entries = index.tableFor(table)
    const inserts = free
      .filter((row) => row[0].index === index)
      .map((row): RowRepair => ({ row, changes: row.flatMap((each) => insertOf(each, entries)) }))
    const insertAll = async (group: readonly RowRepair[], call: CallOptions) => {
      const stored = await storeOnce(entries, changesOf(group), call, follower.writeTimeout)
      return stored === undefined ? [] : group.map(({ row }) => row)
    }
    inserted.push(...(await gather(transactionsOf(inserts, service, options), insertAll, scrub)))
  }
  return gather(
    byPartition(inserted),
    async (own, call) => {
      const versions = await versionsOf(own, { ...scrub, options: call })
      return own.filter(([{ row, raw }]) => raw && versions.get(keyText(row)) === etagOf(raw))
    },
    scrub,
  )
}

/** A row whose entries can be put right together with those of other rows. */
interface RowRepair {
  readonly row: WrongRow
  readonly changes: readonly Change[]
}

function changesOf(group: readonly RowRepair[]): readonly Change[] {
  return group.flatMap(({ changes }) => changes)
}

/** Tells whether an entry can be put right by what was read: the version of its row shows that nothing has changed since. */
function hasNoRival({ kind, index, row, raw, stored }: Difference): boolean {
  const owner = stored && index.rowOf(stored)
  return raw !== undefined && kind !== 'duplicate' && isSameKey(owner ?? row, row)
}

function isMissing({ kind, raw }: Difference): boolean {
  return kind === 'missing' && raw !== undefined
}

function insertOf({ key, wanted }: Difference, { name: table }: KeptTable): readonly Change[] {
  return wanted ? [{ operation: insertKept, input: { table, key, body: wanted.body } }] : []
}

/** Rows of one partition. */
type OfPartition = readonly [WrongRow, ...WrongRow[]]

function byPartition(rows: readonly WrongRow[]): readonly OfPartition[] {
  const partitions = new Map<string, [WrongRow, ...WrongRow[]]>()
  for (const row of rows) {
    const { partitionKey } = row[0].row
    const known = partitions.get(partitionKey)
    if (known === undefined) partitions.set(partitionKey, [row])
    else known.push(row)
  }
  return [...partitions.values()]
}

/** Reads the ETags that rows of one partition have now. */
async function versionsOf(
  rows: OfPartition,
  { table, options, alive }: IndexScrub,
): Promise<ReadonlyMap<string, string>> {
  const keys = rows.map(([{ row }]) => row.rowKey).sort()
  const [first = '', last = first] = [keys[0], keys.at(-1)]
  const range = and(
    inPartition(rows[0][0].row.partitionKey),
    textIs('RowKey', 'ge', first),
    textIs('RowKey', 'le', last),
  )
  const versions = new Map<string, string>()
  for await (const page of scanPages(table, range, options)) {
    for (const raw of page) versions.set(keyText(keyOfRaw(raw)), etagOf(raw))
    await alive()
  }
  return versions
}

/** Works on items, as many at a time as the account allows, and returns what each yields. */
async function gather<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, options: CallOptions) => Promise<readonly Result[]>,
  { table: { service }, concurrency, options, alive }: IndexScrub,
): Promise<readonly Result[]> {
  const all: Result[] = []
  const call = callOf(service, options, 'A run over indexes')
  const each = (item: Item, { options: own }: Call) => work(item, own)
  for await (const results of requestsInOrder(call, items, each, { concurrency })) {
    all.push(...results)
    await alive()
  }
  return all
}
