import type { EntityModel, KeptTable } from '@rowkey/mapper'
import {
  and,
  comparison,
  type FilterNode,
  keyOfRaw,
  literalOf,
  or,
  type RawEntity,
} from '@rowkey/odata'
import type { CallOptions, Change } from '@rowkey/rest'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { storeTogether } from '../rows/changes.ts'
import { beginningFilter, entityFilter, inPartition } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { isSameKey, keyText } from '../rows/stored-row.ts'
import { transactionsOf } from '../rows/write-rows.ts'
import {
  type ComparedRow,
  compareRows,
  type Difference,
  type StoredEntry,
  wrongRows,
} from '../upkeep/compare-rows.ts'
import {
  type ComparedPart,
  type Comparison,
  findAll,
  invalidFrom,
  type Scrub,
} from '../upkeep/comparison.ts'
import type { IndexFinding } from '../upkeep/index-finding.ts'
import { findings, repairOf, settleRow } from '../upkeep/settle-row.ts'

/** How many rows and entries are compared before the next part begins: some pages. */
const PART_SIZE = 5_000
/** A place is a PartitionKey after this text. */
const PLACE = 'after:'

/**
 * Makes the comparison of indexes whose entries lie beside their rows. One scan reads both, partition by partition, and compares them in
 * memory. Each difference is read again before it counts, or is repaired on condition of what was read.
 *
 * @param model - the model of the rows
 * @param table - their table
 */
export function partitionComparison(model: EntityModel<object>, table: KeptTable): Comparison {
  return async function* (scrub, from) {
    let part: Partition[] = []
    let size = 0
    for await (const partition of partitionsFrom(model, table, scrub, partitionIn(from))) {
      part.push(partition)
      size += partition.raws.length
      if (size < PART_SIZE) continue
      yield comparePart(table, scrub, part, `${PLACE}${partition.partitionKey}`)
      part = []
      size = 0
    }
    yield comparePart(table, scrub, part, undefined)
  }
}

/** @throws InputError (`InvalidPatternOption`) */
function partitionIn(from: string | undefined): string | undefined {
  if (from === undefined || from.startsWith(PLACE)) return from?.slice(PLACE.length)
  throw invalidFrom(from)
}

/** All rows of one partition, and all entries of the compared indexes. */
interface Partition {
  readonly partitionKey: string
  readonly raws: readonly RawEntity[]
}

async function* partitionsFrom(
  model: EntityModel<object>,
  table: KeptTable,
  { indexes, options, alive }: Scrub,
  after: string | undefined,
): AsyncGenerator<Partition> {
  const filter = filterOf(model, indexes)
  const rest = after === undefined ? filter : and(partitionAfter(after), filter)
  if (table.service.endpoint.flavour === 'cosmos') {
    // Cosmos DB does not sort rows.
    for (const partitionKey of await partitionKeys(table, rest, options)) {
      const raws: RawEntity[] = []
      const own = and(inPartition(partitionKey), filter)
      for await (const page of scanPages(table, own, options)) raws.push(...page)
      await alive()
      yield { partitionKey, raws }
    }
    return
  }
  let raws: RawEntity[] = []
  let current: string | undefined
  for await (const page of scanPages(table, rest, options)) {
    for (const raw of page) {
      const { partitionKey } = keyOfRaw(raw)
      if (partitionKey !== current) {
        if (current !== undefined) yield { partitionKey: current, raws }
        current = partitionKey
        raws = []
      }
      raws.push(raw)
    }
    await alive()
  }
  if (current !== undefined) yield { partitionKey: current, raws }
}

async function partitionKeys(
  table: KeptTable,
  filter: FilterNode,
  options: CallOptions,
): Promise<readonly string[]> {
  const keys = new Set<string>()
  for await (const page of scanPages(table, filter, options, ['PartitionKey', 'RowKey'])) {
    for (const raw of page) keys.add(keyOfRaw(raw).partitionKey)
  }
  return [...keys].toSorted((one, other) => (one < other ? -1 : 1))
}

function partitionAfter(partitionKey: string): FilterNode {
  return comparison('PartitionKey', 'gt', literalOf(partitionKey, 'String'))
}

/** The condition that only the rows of the model and the entries of the indexes meet. */
function filterOf(model: EntityModel<object>, indexes: readonly EntityIndex[]): FilterNode {
  const entries = indexes.map(({ beginning }) => beginningFilter(beginning))
  return or(entityFilter(model) ?? and(), ...entries)
}

async function comparePart(
  table: KeptTable,
  scrub: Scrub,
  partitions: readonly Partition[],
  next: string | undefined,
): Promise<ComparedPart> {
  const compared = partitions.map(({ raws }) => comparedPartition(scrub.indexes, raws))
  const found: IndexFinding[] = compared.flatMap(({ unreadable }) => unreadable)
  const single: ComparedRow[] = []
  const repairs: (readonly RowRepair[])[] = []
  for (const { wrong } of compared) {
    const isSure = (row: ComparedRow) => scrub.repair && hasNoRival(row)
    single.push(...wrong.filter((row) => !isSure(row)))
    const sure = wrong.filter(isSure)
    const groups = sure.map((row) => ({ row, changes: repairOf(table.name, row) }))
    repairs.push(...transactionsOf(groups, table.service, scrub.options))
  }
  const repairAll = async (groups: readonly RowRepair[], options: CallOptions) => {
    const changes = groups.flatMap((group) => group.changes)
    const rows = groups.map(({ row }) => row)
    if (await storeTogether(table, changes, options)) {
      return rows.flatMap((row) => findings(row, true))
    }
    single.push(...rows)
    return []
  }
  found.push(...(await findAll(table, repairs, repairAll, scrub)))
  const settle = (row: ComparedRow, options: CallOptions) =>
    settleRow({ ...scrub, table, options }, row)
  found.push(...(await findAll(table, single, settle, scrub)))
  const rows = compared.reduce((sum, each) => sum + each.rows, 0)
  const entries = compared.reduce((sum, each) => sum + each.entries, 0)
  return { rows, entries, findings: found, next }
}

/** A row whose entries can be put right in one transaction with it, and with other rows. */
interface RowRepair {
  readonly row: ComparedRow
  readonly changes: readonly Change[]
}

/** Tells whether a row can be put right by what one scan has read: its own version shows that nothing has changed since. */
function hasNoRival({ key, raw, differences }: ComparedRow): boolean {
  const isOwn = ({ kind, index, stored }: Difference) => {
    const owner = stored && index.rowOf(stored)
    return kind !== 'duplicate' && (owner === undefined || isSameKey(owner, key))
  }
  return raw !== undefined && differences.every(isOwn)
}

/** One partition, compared in memory. */
function comparedPartition(indexes: readonly EntityIndex[], raws: readonly RawEntity[]) {
  const rows: RawEntity[] = []
  const entries = new Map<string, StoredEntry>()
  for (const raw of raws) {
    const key = keyOfRaw(raw)
    const index = indexes.find(({ beginning }) => key.rowKey.startsWith(beginning))
    if (index === undefined) rows.push(raw)
    else entries.set(keyText(key), { index, raw })
  }
  const compared = compareRows(indexes, rows, entries)
  const { unreadable } = compared
  return {
    rows: rows.length,
    entries: entries.size,
    unreadable,
    wrong: wrongRows(compared, entries),
  }
}
