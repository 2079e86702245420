import { type KeptTable, requestsInOrder } from '@rowkey/mapper'
import {
  and,
  DecodeError,
  type EntityKey,
  type FilterNode,
  keyOfRaw,
  or,
  type RawEntity,
} from '@rowkey/odata'
import { type Call, type CallOptions, callOf } from '@rowkey/rest'
import {
  type ComparedPart,
  type Comparison,
  type DerivedFinding,
  invalidFrom,
  type Scrub,
} from '../derived/compare.ts'
import { entityFilter, inPartition, textIs } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import { isKeyError } from '../rows/unreadable.ts'
import { type CopyRules, fillCopies, readRow, sourceKeyOf } from './copy-rules.ts'

/** How many holders are compared before the next part begins. */
const PART_SIZE = 5_000
/** How often a holder is read that writers change meanwhile. */
const MAX_LOOKS = 10

/** The tables of some copies. */
interface CopiedTables {
  readonly rules: CopyRules
  readonly sources: KeptTable
  readonly holders: KeptTable
}

/** Stores the right copies in a holder; returns whether they were wrong. */
type Refresh = (holder: EntityKey, options: CallOptions) => Promise<boolean>

/** Makes the comparison of copies: it reads all holders, and the source of each. */
export function copyComparison(tables: CopiedTables, refresh: Refresh): Comparison<CopyRules> {
  return async function* (scrub, from) {
    const { rules, holders } = tables
    const { options, concurrency, alive } = scrub
    const own = entityFilter(rules.holder)
    const filter = from === undefined ? own : and(later(from), own)
    const isSorted = holders.service.endpoint.flavour !== 'cosmos'
    const run = callOf(holders.service, options, 'A run over copies')
    const compare = (raw: RawEntity, call: Call) =>
      compareHolder(tables, raw, { ...scrub, options: call.options }, refresh)
    let part: ComparedPart = { rows: 0, kept: 0, findings: [], next: undefined }
    for await (const page of scanPages(holders, filter, options)) {
      const found: DerivedFinding[] = []
      for await (const each of requestsInOrder(run, page, compare, { concurrency })) {
        found.push(...each)
      }
      await alive()
      const last = page.at(-1)
      part = { ...part, rows: part.rows + page.length, findings: [...part.findings, ...found] }
      if (!isSorted || part.rows < PART_SIZE || last === undefined) continue
      yield { ...part, next: JSON.stringify(keyOfRaw(last)) }
      part = { rows: 0, kept: 0, findings: [], next: undefined }
    }
    yield part
  }
}

async function compareHolder(
  tables: CopiedTables,
  raw: RawEntity,
  { repair, options }: Scrub,
  refresh: Refresh,
): Promise<readonly DerivedFinding[]> {
  const row = keyOfRaw(raw)
  const { name } = tables.rules
  const finding = { name, row, kept: undefined }
  try {
    if (!(await lookAt(tables, raw, options)).isWrong) return []
    const isWrong = repair ? await refresh(row, options) : await isStillWrong(tables, row, options)
    return isWrong ? [{ ...finding, kind: 'stale', repaired: repair }] : []
  } catch (error) {
    if (!(error instanceof DecodeError || isKeyError(error))) throw error
    return [{ ...finding, kind: 'unreadable', error, repaired: false }]
  }
}

/** Reads a holder and its source until two looks find the same versions. */
async function isStillWrong(
  tables: CopiedTables,
  key: EntityKey,
  options: CallOptions,
): Promise<boolean> {
  let last = ''
  for (let look = 1; ; look++) {
    const raw = await findStored(tables.holders, key, options)
    if (raw === undefined) return false
    const { isWrong, version } = await lookAt(tables, raw, options)
    if (!isWrong || version === last || look === MAX_LOOKS) return isWrong
    last = version
  }
}

async function lookAt(
  { rules, sources }: CopiedTables,
  raw: RawEntity,
  options: CallOptions,
): Promise<{ readonly isWrong: boolean; readonly version: string }> {
  const holder = readRow(rules.holder, raw)
  if (holder === undefined) return { isWrong: false, version: '' }
  const key = sourceKeyOf(rules, holder)
  const stored = key && (await findStored(sources, key, options))
  const isWrong = fillCopies(rules, holder, readRow(rules.source, stored)).length > 0
  return { isWrong, version: `${etagOf(raw)} ${stored && etagOf(stored)}` }
}

/** @throws InputError (`InvalidPatternOption`) for a place that no run returned */
function later(from: string): FilterNode {
  const { partitionKey, rowKey } = keyIn(from)
  const further = and(inPartition(partitionKey), textIs('RowKey', 'gt', rowKey))
  return or(textIs('PartitionKey', 'gt', partitionKey), further)
}

function keyIn(from: string): EntityKey {
  try {
    const { partitionKey, rowKey } = JSON.parse(from)
    if (typeof partitionKey === 'string' && typeof rowKey === 'string') {
      return { partitionKey, rowKey }
    }
  } catch {
    // Any text may come.
  }
  throw invalidFrom(from)
}
