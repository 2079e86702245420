import type { EntityModel } from '@rowkey/mapper'
import { and, type FilterNode, keyOfRaw, or, type RawEntity } from '@rowkey/odata'
import { type Comparison, invalidFrom } from '../derived/compare.ts'
import { beginningFilter, entityFilter, inPartition, textIs } from '../rows/row-filter.ts'
import { partitionsWith, scanPages } from '../rows/scan-rows.ts'
import { StoredEntries } from './compare-rows.ts'
import { comparisonOf, type Slice } from './compare-slices.ts'
import type { EntityIndex } from './index-entry.ts'
import type { IndexScrub } from './settle-row.ts'

/** How many rows and entries are compared before the next part begins: some pages. */
const PART_SIZE = 5_000
/** A place is a PartitionKey after this text. */
const PLACE = 'after:'

/**
 * Makes the comparison of indexes whose entries lie beside their rows. One scan reads both, partition by partition.
 *
 * @param model - the model of the rows
 */
export function partitionComparison(model: EntityModel<object>): Comparison<EntityIndex> {
  return comparisonOf(async function* (scrub, from) {
    const { definitions, alive } = scrub
    let raws: RawEntity[] = []
    let current = ''
    for await (const page of pagesFrom(model, scrub, partitionIn(from))) {
      for (const raw of page) {
        const { partitionKey } = keyOfRaw(raw)
        if (partitionKey !== current && raws.length >= PART_SIZE) {
          yield sliceOf(definitions, raws, `${PLACE}${current}`)
          raws = []
        }
        current = partitionKey
        raws.push(raw)
      }
      await alive()
    }
    yield sliceOf(definitions, raws, undefined)
  })
}

/** Tells rows from entries. */
function sliceOf(
  indexes: readonly EntityIndex[],
  raws: readonly RawEntity[],
  next: string | undefined,
): Slice {
  const rows: RawEntity[] = []
  const entries = new StoredEntries()
  for (const raw of raws) {
    const { rowKey } = keyOfRaw(raw)
    const index = indexes.find(({ beginning }) => rowKey.startsWith(beginning))
    if (index === undefined) rows.push(raw)
    else entries.add(index, raw)
  }
  const all = { has: () => true, isFirst: true, isCounted: true }
  return { indexes, entries, pages: [rows], ...all, next }
}

/** Tells whether a run over entries beside their rows continues at a place. */
export function isPartitionPlace(from: string): boolean {
  return from.startsWith(PLACE)
}

/** @throws InputError (`InvalidPatternOption`) */
function partitionIn(from: string | undefined): string | undefined {
  if (from === undefined || isPartitionPlace(from)) return from?.slice(PLACE.length)
  throw invalidFrom(from)
}

/** Reads all rows, and all entries of the compared indexes, partition by partition. */
async function* pagesFrom(
  model: EntityModel<object>,
  { table, definitions, options }: IndexScrub,
  after: string | undefined,
): AsyncGenerator<readonly RawEntity[]> {
  const filter = filterOf(model, definitions)
  const rest = after === undefined ? filter : and(textIs('PartitionKey', 'gt', after), filter)
  if (table.service.endpoint.flavour !== 'cosmos') {
    yield* scanPages(table, rest, options)
    return
  }
  // Cosmos DB does not sort rows.
  for (const partitionKey of await partitionsWith(table, rest, options)) {
    yield* scanPages(table, and(inPartition(partitionKey), filter), options)
  }
}

/** The condition that only the rows of the model and the entries of the indexes meet. */
function filterOf(model: EntityModel<object>, indexes: readonly EntityIndex[]): FilterNode {
  const entries = indexes.map(({ beginning }) => beginningFilter(beginning))
  return or(entityFilter(model), ...entries)
}
