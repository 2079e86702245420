import { type KeptTable, requestsInOrder } from '@rowkey/mapper'
import { and, type EntityKey, keyOfRaw, or, type RawEntity } from '@rowkey/odata'
import { type Call, type CallOptions, callOf, ETagMismatchError } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import {
  type ComparedPart,
  type Comparison,
  type DerivedFinding,
  invalidFrom,
  type Scrub,
  type Summary,
} from '../derived/compare.ts'
import { keptBeginning } from '../derived/kept-key.ts'
import { storeOnce } from '../rows/changes.ts'
import { beginningFilter, entityFilter, inPartition } from '../rows/row-filter.ts'
import { partitionsWith, scanRows } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'
import { transactionsOf } from '../rows/transactions-of.ts'
import { readable, Unreadable } from '../rows/unreadable.ts'
import { added, agree, type SummaryRule } from './summary.ts'
import { summaryChange } from './summary-keeper.ts'

/** How many rows are compared before the next part begins. */
const PART_SIZE = 5_000
/** How often a partition is compared, when programs change its summaries meanwhile. */
const MAX_LOOKS = 10
/** A place is a PartitionKey after this text. */
const PLACE = 'after:'
/** The errors of rows that other programs may read, and count. */
const READ_BY_OTHERS = /^(?:UnreadableVersion|DecryptionFailed)$/

/** Compares summaries with the entities, partition by partition. Repairs depend on all that was read of a group. */
export const summaryComparison: Comparison<SummaryRule> = async function* (scrub, from) {
  const { table, definitions, concurrency, options, alive } = scrub
  const [first] = definitions
  if (first === undefined) return
  if (from !== undefined && !from.startsWith(PLACE)) throw invalidFrom(from)
  const { model } = first
  const kept = beginningFilter(keptBeginning('su', model))
  const all = await partitionsWith(table, or(entityFilter(model), kept), options)
  const partitions = all.filter((each) => from === undefined || each > from.slice(PLACE.length))
  const run = callOf(table.service, options, 'A run over summaries')
  const compare = (partitionKey: string, call: Call) =>
    comparePartition({ ...scrub, options: call.options }, partitionKey)
  let part: ComparedPart = { rows: 0, kept: 0, findings: [], next: undefined }
  let at = 0
  for await (const each of requestsInOrder(run, partitions, compare, { concurrency })) {
    part = {
      rows: part.rows + each.rows,
      kept: part.kept + each.kept,
      findings: [...part.findings, ...each.findings],
      next: `${PLACE}${partitions[at++]}`,
    }
    await alive()
    if (part.rows < PART_SIZE || at === partitions.length) continue
    yield part
    part = { rows: 0, kept: 0, findings: [], next: undefined }
  }
  yield { ...part, next: undefined }
}

/** What was found in one partition. */
type ComparedPartition = Omit<ComparedPart, 'next'>

function comparePartition(
  scrub: Scrub<SummaryRule>,
  partitionKey: string,
): Promise<ComparedPartition> {
  return scrub.repair
    ? retryConflicts(
        scrub.table.service,
        (options) => repairPartition({ ...scrub, options }, partitionKey),
        scrub.options,
      )
    : verifyPartition(scrub, partitionKey)
}

async function verifyPartition(
  scrub: Scrub<SummaryRule>,
  partitionKey: string,
): Promise<ComparedPartition> {
  for (let look = 1; ; look++) {
    const { rows, kept, wrong, unreadable, changed } = await lookAt(scrub, partitionKey)
    if (wrong.length === 0) return { rows, kept, findings: unreadable }
    // A group that changed since was right before, or is right now.
    const others = await changed()
    const same = wrong.filter(({ key }) => !others.has(key.rowKey))
    if (same.length === wrong.length || look === MAX_LOOKS) {
      return { rows, kept, findings: [...same.map(({ finding }) => finding), ...unreadable] }
    }
  }
}

async function repairPartition(
  scrub: Scrub<SummaryRule>,
  partitionKey: string,
): Promise<ComparedPartition> {
  const { table, options } = scrub
  const { rows, kept, wrong, unreadable, changed } = await lookAt(scrub, partitionKey)
  const counted = unreadable.find(({ error }) => READ_BY_OTHERS.test(String(error?.code)))
  if (counted !== undefined) throw counted.error
  const repairs = wrong.filter(isMended).map((each) => ({
    changes: [
      summaryChange(
        { table: table.name, rule: each.rule, key: each.key, stored: each.stored },
        each.expected,
      ),
    ],
  }))
  for (const part of transactionsOf(repairs, table.service, options)) {
    const changes = part.flatMap((repair) => repair.changes)
    // An insert could arrive when its group is empty again.
    if ((await storeOnce(table, changes, options)) === undefined) throw changing(table)
  }
  // A group that was right may be wrong now.
  for (const group of await changed()) {
    if (wrong.every(({ key }) => key.rowKey !== group)) throw changing(table)
  }
  const found = wrong.map((each) => ({ ...each.finding, repaired: isMended(each) }))
  return { rows, kept, findings: [...found, ...unreadable] }
}

/** A group of a summary in one partition. */
interface Group {
  readonly rule: SummaryRule
  readonly key: EntityKey
  /** Its row as it is stored. */
  readonly stored: RawEntity | undefined
  /** What follows from the entities. */
  expected: Summary
}

interface WrongGroup extends Readonly<Group> {
  readonly finding: DerivedFinding
}

/** A row that cannot be read is never deleted. */
function isMended({ finding, expected }: WrongGroup): boolean {
  return finding.kind === 'stale' || expected.count > 0
}

/** The result of one look at a partition. */
interface Look {
  readonly rows: number
  readonly kept: number
  readonly wrong: readonly WrongGroup[]
  /** The entities that cannot be compared. */
  readonly unreadable: readonly DerivedFinding[]
  /** Reads the summaries again, and returns the groups that changed since: what was found of them may be right no more. */
  changed(): Promise<ReadonlySet<string>>
}

/**
 * Compares the summaries of a partition with its entities. It reads first the summaries, then the entities: a group with the
 * same row afterwards was compared with all of its writes.
 */
async function lookAt(
  { table, definitions, options }: Scrub<SummaryRule>,
  partitionKey: string,
): Promise<Look> {
  const groups = await storedGroups(table, definitions, partitionKey, options)
  const kept = groups.size
  const unreadable: DerivedFinding[] = []
  let rows = 0
  const [first] = definitions
  // Entities that have expired or are deleted softly count, because they are stored.
  const filter = first && entityFilter(first.model, inPartition(partitionKey))
  for await (const raw of scanRows(table, filter, options)) {
    rows++
    for (const rule of definitions) {
      const by = readable(keyOfRaw(raw), () => rule.contributionOf(raw))
      if (by instanceof Unreadable) {
        unreadable.push({ ...by.finding, name: rule.name, kept: undefined })
      } else if (by !== undefined) {
        const { group: rowKey } = by
        const none = { rule, key: { partitionKey, rowKey }, stored: undefined }
        const group = groups.get(rowKey) ?? { ...none, expected: rule.read(undefined) }
        groups.set(rowKey, group)
        group.expected = added(group.expected, by, 1)
      }
    }
  }
  return {
    rows,
    kept,
    wrong: [...groups.values()].flatMap((each) => wrongGroup(each) ?? []),
    unreadable,
    async changed() {
      const now = await storedGroups(table, definitions, partitionKey, options)
      const all = [...new Set([...groups.keys(), ...now.keys()])]
      const versionIn = (group: Group | undefined) => group?.stored && etagOf(group.stored)
      return new Set(all.filter((each) => versionIn(groups.get(each)) !== versionIn(now.get(each))))
    },
  }
}

/** Reads the groups of some summaries as they are stored, by their RowKeys. */
async function storedGroups(
  table: KeptTable,
  rules: readonly SummaryRule[],
  partitionKey: string,
  options: CallOptions,
): Promise<Map<string, Group>> {
  const groups = new Map<string, Group>()
  const own = or(...rules.map(({ beginning }) => beginningFilter(beginning)))
  for await (const stored of scanRows(table, and(inPartition(partitionKey), own), options)) {
    const key = keyOfRaw(stored)
    const rule = rules.find(({ beginning }) => key.rowKey.startsWith(beginning))
    if (rule !== undefined) {
      groups.set(key.rowKey, { rule, key, stored, expected: rule.read(undefined) })
    }
  }
  return groups
}

/** Compares one group; `undefined` when it is right. */
function wrongGroup(group: Group): WrongGroup | undefined {
  const { rule, key, stored, expected } = group
  const { name } = rule
  const values = readable(key, () => rule.read(stored))
  if (values instanceof Unreadable) {
    return { ...group, finding: { ...values.finding, name, row: undefined, kept: key } }
  }
  const isLeftOver = stored !== undefined && expected.count === 0
  if (!isLeftOver && agree(values, expected)) return undefined
  const stale = { name, kind: 'stale', row: undefined, kept: key, repaired: false } as const
  return { ...group, finding: { ...stale, stored: values, expected } }
}

function changing({ name }: KeptTable): Error {
  return new ETagMismatchError({
    message: `Writers changed the summaries of a partition of table ${name} while it was compared. Call it again later.`,
    status: 412,
    code: 'PartitionChanging',
    requestId: undefined,
    operation: 'queryEntities',
    mayHaveApplied: false,
  })
}
