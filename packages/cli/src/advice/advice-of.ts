import { count, counted } from '../output/progress.ts'
import type { TableStatistics } from './table-statistics.ts'

/** One piece of advice. */
export interface Advice {
  /** What was found. */
  readonly finding: string
  /** What it means, and what to do. */
  readonly advice: string
  /** The page that says how. */
  readonly page: string
}

const FEWEST_ROWS = 20
const MOST_PROPERTIES = 252

/**
 * Gives advice on a table.
 *
 * @param statistics - of its rows
 */
export function* adviceOf(statistics: TableStatistics): Generator<Advice, void, undefined> {
  if (statistics.rows < FEWEST_ROWS) return
  yield* partitionAdvice(statistics)
  yield* orderAdvice(statistics)
  yield* limitAdvice(statistics)
  yield* indexAdvice(statistics)
}

function* partitionAdvice({
  rows,
  partitions,
}: TableStatistics): Generator<Advice, void, undefined> {
  const [largest] = [...partitions].sort(([, one], [, other]) => other - one)
  if (largest !== undefined && partitions.size > 1 && largest[1] > rows / 2) {
    yield {
      finding: `The partition ${JSON.stringify(largest[0])} has ${count(largest[1])} of ${counted(rows, 'row')}.`,
      advice:
        'One server handles one partition, up to about 2,000 operations a second. Spread its rows.',
      page: 'docs/patterns/recipes.md',
    }
  }
  if (partitions.size === 1) {
    yield {
      finding: 'All rows are in one partition.',
      advice:
        'The table cannot grow beyond one server. Put a property that queries know into PartitionKey.',
      page: 'docs/keys.md',
    }
  }
  if (partitions.size === rows) {
    yield {
      finding: 'Each row has a partition of its own.',
      advice:
        'No transaction and no query of a range can hold two of them. Keep together what is read or written together.',
      page: 'docs/keys.md',
    }
  }
}

function* orderAdvice({
  ascending,
  neighbours,
}: TableStatistics): Generator<Advice, void, undefined> {
  const rising = ascending / neighbours
  if (neighbours < FEWEST_ROWS || (rising < 0.95 && rising > 0.05)) return
  const [order, end] =
    rising > 0.5
      ? ['in the order of their keys', 'last']
      : ['against the order of their keys', 'first']
  yield {
    finding: `Rows were written ${order}: all new keys are at one end of the table.`,
    advice: `All writes meet the server of the ${end} keys. Begin the PartitionKey with something that varies. An inverted time only moves the writes to the other end.`,
    page: 'docs/patterns/recipes.md',
  }
}

function* limitAdvice({
  properties,
  mostProperties,
}: TableStatistics): Generator<Advice, void, undefined> {
  if (mostProperties > MOST_PROPERTIES * 0.75) {
    yield {
      finding: `A row has ${mostProperties} properties; the limit is ${MOST_PROPERTIES}.`,
      advice: 'Store it as several rows that are read as one.',
      page: 'docs/patterns/wide-entities.md',
    }
  }
  for (const [name, { longest, limit }] of properties) {
    if (longest <= limit * 0.75) continue
    yield {
      finding: `${name} has up to ${count(longest)} of ${count(limit)} units.`,
      advice: 'Split it over several properties, or keep it outside of the row.',
      page: 'docs/patterns/large-values.md',
    }
  }
}

/** A text that most rows have, and that few rows share, is likely to be looked up. */
function* indexAdvice({ rows, properties }: TableStatistics): Generator<Advice, void, undefined> {
  for (const [name, { count: having, values }] of properties) {
    if (having < rows * 0.95 || values.size < having * 0.9 || values.size < FEWEST_ROWS) continue
    yield {
      finding: `${name} has ${count(values.size)} different values in ${counted(having, 'row')}.`,
      advice: 'If programs look rows up by it, an index finds them without a scan.',
      page: 'docs/patterns/indexes.md',
    }
  }
}
