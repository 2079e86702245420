import { and, keyOfRaw } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import type { ModelTable } from '../rows/model-table.ts'
import { partitionRows, readable, Unreadable, type UnreadableRow } from '../rows/partition-rows.ts'
import { beginningFilter, inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { emptyRow, type IdList, type ListRow, listOf, toListRow } from './id-list.ts'

/** A list that does not agree with the entities. */
export interface StaleIdList {
  /** The name of the id list. */
  readonly idList: string
  /** The list lacks entities, or has too many. */
  readonly kind: 'stale'
  /** The key of the list, without the number of its row. */
  readonly list: string
  /** The RowKeys of entities that it lacks. */
  readonly missing: readonly string[]
  /** The RowKeys in it whose entities have another value, or do not exist. */
  readonly dangling: readonly string[]
  /** Whether the list was repaired. */
  readonly repaired: boolean
}

/** A row that cannot be compared with an id list. Its RowKey stays in the lists that have it. */
export interface UnreadableInIdList extends UnreadableRow {
  /** The name of the id list. */
  readonly idList: string
}

/** A difference between the id lists of a partition and its entities. */
export type IdListFinding = StaleIdList | UnreadableInIdList

/** The id lists of a table. */
export interface ComparedTable extends ModelTable {
  readonly lists: ReadonlyMap<string, IdList>
}

/** The result of a comparison. */
interface Comparison {
  readonly stale: readonly StaleRows[]
  readonly unreadable: readonly UnreadableInIdList[]
}

/** A list that does not agree with the entities, and its rows. */
interface StaleRows {
  readonly finding: StaleIdList
  readonly rows: readonly ListRow[]
}

/**
 * Compares the lists of a partition with its entities. It reads first the lists, then the entities: a list with the same
 * ETag afterwards was compared with all of its writes.
 */
export async function compareLists(
  table: ComparedTable,
  partition: object,
  options: CallOptions,
): Promise<Comparison> {
  const stored: StoredLists[] = []
  for (const idList of table.lists.values()) {
    stored.push(await storedLists(table, idList, partition, options))
  }
  const { expected, unreadable } = await expectedLists(table, partition, options)
  return {
    stale: stored.flatMap((each) => differences(each, expected, unreadable)),
    unreadable: [...stored.flatMap(({ broken }) => broken), ...unreadable],
  }
}

/** What the rows of one id list hold. */
interface StoredLists {
  readonly idList: IdList
  readonly rows: ReadonlyMap<string, readonly ListRow[]>
  /** The rows that another program changed. */
  readonly broken: readonly UnreadableInIdList[]
}

async function storedLists(
  { model, account, name }: ComparedTable,
  idList: IdList,
  partition: object,
  options: CallOptions,
): Promise<StoredLists> {
  const rows = new Map<string, ListRow[]>()
  const broken: UnreadableInIdList[] = []
  const { groups } = idList
  const inThis = inPartition(model.partitionKey.print(partition))
  const filter = and(inThis, beginningFilter(groups.beginning))
  for await (const raw of scanRows({ service: account.service, name }, filter, options)) {
    const key = keyOfRaw(raw)
    const list = listOf(key.rowKey)
    if (list === undefined) continue
    const row = readable(key, () => toListRow(raw))
    const isBroken = row instanceof Unreadable
    if (isBroken) broken.push({ idList: groups.name, ...row.finding })
    rows.set(list, [...(rows.get(list) ?? []), isBroken ? emptyRow(raw) : row])
  }
  return { idList, rows, broken }
}

/** What follows from the entities. */
interface ExpectedLists {
  /** The RowKeys of each list. */
  readonly expected: ReadonlyMap<IdList, ReadonlyMap<string, Set<string>>>
  /** The entities that cannot be compared. */
  readonly unreadable: readonly UnreadableInIdList[]
}

async function expectedLists(
  table: ComparedTable,
  partition: object,
  options: CallOptions,
): Promise<ExpectedLists> {
  const all = Array.from(
    table.lists.values(),
    (each) => [each, new Map<string, Set<string>>()] as const,
  )
  const unreadable: UnreadableInIdList[] = []
  for await (const { key, entity } of partitionRows(table, partition, options)) {
    for (const [{ groups }, lists] of all) {
      const list = entity instanceof Unreadable ? entity : readable(key, () => groups.keyOf(entity))
      if (list instanceof Unreadable) unreadable.push({ idList: groups.name, ...list.finding })
      else if (list !== undefined) lists.set(list, (lists.get(list) ?? new Set()).add(key.rowKey))
    }
  }
  return { expected: new Map(all), unreadable }
}

function differences(
  { idList, rows }: StoredLists,
  expected: ExpectedLists['expected'],
  unreadable: ExpectedLists['unreadable'],
): readonly StaleRows[] {
  const lists = expected.get(idList) ?? new Map<string, Set<string>>()
  const { name } = idList.groups
  // The RowKeys of unreadable entities stay where they are.
  const kept = new Set(unreadable.flatMap((each) => (each.idList === name ? each.row.rowKey : [])))
  return Array.from(new Set([...rows.keys(), ...lists.keys()]), (list) => {
    const ids = new Set((rows.get(list) ?? []).flatMap((row) => row.ids))
    const own = lists.get(list) ?? new Set<string>()
    const missing = [...own].filter((id) => !ids.has(id))
    const dangling = [...ids].filter((id) => !own.has(id) && !kept.has(id))
    const finding = {
      idList: name,
      kind: 'stale',
      list,
      missing,
      dangling,
      repaired: false,
    } as const
    return { finding, rows: rows.get(list) ?? [] }
  }).filter(({ finding: { missing, dangling } }) => missing.length + dangling.length > 0)
}
