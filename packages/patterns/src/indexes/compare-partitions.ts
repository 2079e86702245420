import type { EntityModel, KeptTable } from '@rowkey/mapper'
import {
  and,
  comparison,
  type EntityKey,
  type FilterNode,
  keyOfRaw,
  literalOf,
  or,
  type RawEntity,
} from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntity,
  entityGroupTransaction,
  insertOrReplaceEntity,
  perform,
  updateEntity,
} from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import type { EntityIndex, IndexEntry } from '../definitions/index-entry.ts'
import { insertKept } from '../rows/insert-kept.ts'
import { untouched } from '../rows/kept-rows.ts'
import { beginningFilter, entityFilter, inPartition } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'
import { transactionsOf } from '../rows/write-rows.ts'
import {
  type ComparedPart,
  type Comparison,
  findAll,
  invalidFrom,
  type Scrub,
} from '../upkeep/comparison.ts'
import type { IndexFinding } from '../upkeep/index-finding.ts'
import { splitByRow } from '../upkeep/unreadable-row.ts'
import { scrubEntry, scrubRow } from './scrub-row.ts'

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
  const compared = partitions.map(({ raws }) => comparedPartition(table.name, scrub, raws))
  const findings: IndexFinding[] = compared.flatMap(({ unreadable }) => unreadable)
  const single: Single[] = compared.flatMap((each) => each.single)
  if (scrub.repair) {
    const { service } = table
    const transactions = compared.flatMap(({ repairs }) => [
      ...transactionsOf(
        repairs.map((repair) => ({ repair, changes: changesOf(table.name, repair) })),
        service,
        scrub.options,
      ),
    ])
    const repairAll = async (
      groups: (typeof transactions)[number],
      options: CallOptions,
    ): Promise<readonly IndexFinding[]> => {
      try {
        const changes = groups.flatMap((group) => group.changes)
        await perform(service, entityGroupTransaction, { table: table.name, changes }, options)
        return groups.flatMap(({ repair }) => repair.mends.map(({ finding }) => finding))
      } catch (error) {
        if (!isConflict(error)) throw error
        single.push(...groups.flatMap(({ repair }) => singlesOf(repair)))
        return []
      }
    }
    findings.push(...(await findAll(table, transactions, repairAll, scrub)))
  } else single.push(...compared.flatMap(({ repairs }) => repairs.flatMap(singlesOf)))
  const compareOne = ({ indexes, row, entry }: Single, options: CallOptions) => {
    const own = { ...scrub, indexes, table, options }
    return entry === undefined ? scrubRow(own, row) : scrubEntry(own, entry.index, entry.stored)
  }
  findings.push(...(await findAll(table, single, compareOne, scrub)))
  const rows = compared.reduce((sum, each) => sum + each.rows, 0)
  const entries = compared.reduce((sum, each) => sum + each.entries, 0)
  return { rows, entries, findings, next }
}

/** An entry that its row does not have. */
interface StrayEntry {
  readonly index: EntityIndex
  readonly stored: RawEntity
}

/** What puts one entry right, in a transaction with its row. */
interface Mend {
  /** What it reports once it is stored. */
  readonly finding: IndexFinding
  readonly change: Change
  /** The entry that it removes; absent when it stores one. */
  readonly stray?: StrayEntry | undefined
}

/** A row whose entries can be put right in one transaction with it. */
interface Repair {
  readonly row: RawEntity
  readonly indexes: readonly EntityIndex[]
  readonly mends: readonly Mend[]
}

/** A row or an entry that is compared by itself. */
interface Single {
  readonly indexes: readonly EntityIndex[]
  readonly row: RawEntity
  readonly entry?: StrayEntry | undefined
}

/** One partition, compared in memory. */
interface ComparedPartition {
  readonly rows: number
  readonly entries: number
  readonly unreadable: readonly IndexFinding[]
  readonly repairs: readonly Repair[]
  readonly single: readonly Single[]
}

function comparedPartition(
  table: string,
  { indexes }: Scrub,
  raws: readonly RawEntity[],
): ComparedPartition {
  const { rows, entries } = sorted(indexes, raws)
  const wantedBy = new Map<string, RawEntity>()
  const unreadable: IndexFinding[] = []
  const single: Single[] = []
  const compared = new Map<string, Repair & { readonly mends: Mend[] }>()
  for (const row of rows) {
    const split = splitByRow(indexes, row)
    unreadable.push(...split.unreadable)
    const own = { row, indexes: split.readable, mends: [] as Mend[] }
    compared.set(keyOfRaw(row).rowKey, own)
    let isRivalled = false
    for (const index of split.readable) {
      const entry = index.entryOf(row)
      if (entry === undefined) continue
      const { rowKey } = entry.key
      const stored = entries.get(rowKey)
      const isRight = stored !== undefined && index.isStoredAs(stored.stored, entry)
      // A value that two rows have needs the rules of unique values.
      const owner = stored && index.rowOf(stored.stored)?.rowKey
      if (wantedBy.has(rowKey) || (owner !== undefined && owner !== entry.row.rowKey)) {
        isRivalled = true
      } else if (!isRight) own.mends.push(storing(table, index, entry, stored?.stored))
      wantedBy.set(rowKey, row)
    }
    if (isRivalled) single.push({ indexes: split.readable, row })
  }
  for (const [rowKey, stray] of entries) {
    if (wantedBy.has(rowKey)) continue
    const owner = stray.index.rowOf(stray.stored)
    if (owner === undefined) continue // not an entry
    const own = compared.get(owner.rowKey)
    if (own === undefined) single.push({ indexes: [stray.index], row: stray.stored, entry: stray })
    // The entry of an unreadable row stays: the row itself is the finding.
    else if (own.indexes.includes(stray.index)) own.mends.push(removing(table, stray, owner))
  }
  const repairs = [...compared.values()].filter(({ mends }) => mends.length > 0)
  return { rows: rows.length, entries: entries.size, unreadable, repairs, single }
}

/** Tells rows from entries. */
function sorted(
  indexes: readonly EntityIndex[],
  raws: readonly RawEntity[],
): { readonly rows: readonly RawEntity[]; readonly entries: ReadonlyMap<string, StrayEntry> } {
  const rows: RawEntity[] = []
  const entries = new Map<string, StrayEntry>()
  for (const stored of raws) {
    const { rowKey } = keyOfRaw(stored)
    const index = indexes.find(({ beginning }) => rowKey.startsWith(beginning))
    if (index === undefined) rows.push(stored)
    else entries.set(rowKey, { index, stored })
  }
  return { rows, entries }
}

/** Stores the entry of a row. */
function storing(
  table: string,
  index: EntityIndex,
  { key, row, body }: IndexEntry,
  stored: RawEntity | undefined,
): Mend {
  const kind = stored === undefined ? 'missing' : 'stale'
  const finding = { index: index.name, kind, row, entry: key, repaired: true } as const
  const input = { table, key, body }
  if (!index.isUnique) return { finding, change: { operation: insertOrReplaceEntity, input } }
  if (stored === undefined) return { finding, change: { operation: insertKept, input } }
  const etag = etagOf(stored)
  return { finding, change: { operation: updateEntity, input: { ...input, etag } } }
}

/** Removes an entry that its row does not have. */
function removing(table: string, stray: StrayEntry, row: EntityKey): Mend {
  const { index, stored } = stray
  const key = keyOfRaw(stored)
  const finding = { index: index.name, kind: 'dangling', row, entry: key, repaired: true } as const
  const input = { table, key, body: '', etag: etagOf(stored) }
  return { finding, change: { operation: deleteEntity, input }, stray }
}

/** The changes of a repair, which fail when the row changed since it was read. */
function changesOf(table: string, { row, mends }: Repair): readonly Change[] {
  return [untouched(table, keyOfRaw(row), etagOf(row)), ...mends.map(({ change }) => change)]
}

function singlesOf({ row, indexes, mends }: Repair): readonly Single[] {
  const strays = mends.flatMap(({ stray }) => stray ?? [])
  const entries = strays.map((entry) => ({ indexes, row: entry.stored, entry }))
  return strays.length === mends.length ? entries : [{ indexes, row }, ...entries]
}
