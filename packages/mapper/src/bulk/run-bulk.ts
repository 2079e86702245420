import { AbortError } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import { BulkEngine } from './bulk-engine.ts'
import { BulkError } from './bulk-error.ts'
import type { OpenBulk } from './bulk-options.ts'
import type { BulkOutcome, BulkSummary } from './bulk-outcome.ts'
import { JournalLog } from './journal-log.ts'
import { OutcomeQueue } from './outcome-queue.ts'

/** A bulk write that runs. */
export interface RunningBulk<Item> {
  /** How it ends. It does not reject. */
  readonly summary: Promise<BulkSummary>
  /**
   * The outcomes, as they end. Leaving them ends the write.
   *
   * @throws AbortError or BulkError after all outcomes, when the write ended early
   */
  readonly outcomes: AsyncGenerator<BulkOutcome<Item>, void, undefined>
}

/**
 * Begins a bulk write.
 *
 * @param plan - the write
 * @param isObserved - whether the outcomes are read; they are not kept otherwise
 * @throws InputError with the code `InvalidOptionValue` for what cannot keep a journal
 */
export async function beginBulk<Item>(
  { target: load, rule, ...plan }: OpenBulk,
  isObserved: boolean,
): Promise<RunningBulk<Item>> {
  JournalLog.check(plan.settings.journal, plan.table)
  const queue = new OutcomeQueue()
  const outcomes = isObserved ? queue : undefined
  const target = await load()
  const toOperation = (item: unknown) => target.toOperation(item, rule)
  const engine = new BulkEngine({ ...plan, target, toOperation, outcomes })
  const summary = engine.run()
  return { summary, outcomes: outcomesOf({ engine, queue, summary, table: plan.table }) }
}

interface BulkParts {
  readonly engine: BulkEngine
  readonly queue: OutcomeQueue
  readonly summary: Promise<BulkSummary>
  readonly table: string
}

async function* outcomesOf<Item>({
  engine,
  queue,
  summary,
  table,
}: BulkParts): AsyncGenerator<BulkOutcome<Item>, void, undefined> {
  try {
    for (;;) {
      const outcome = await queue.next()
      engine.resume()
      if (outcome === undefined) break
      yield outcome as BulkOutcome<Item> // the items come from this input
    }
  } finally {
    engine.end('left', undefined)
    await summary
  }
  checkEnding(await summary, table)
}

/** Rejects a write that ended early. */
function checkEnding(summary: BulkSummary, table: string): void {
  const { ending, cause, done, unknown } = summary
  if (ending === 'complete') return
  if (ending !== 'aborted') throw new BulkError({ table, summary })
  throw new AbortError({ reason: cause, mayHaveApplied: done + unknown > 0 })
}

/** Rejects a write that ended early, or with failures. */
export function checkComplete(summary: BulkSummary, table: string): void {
  checkEnding(summary, table)
  if (summary.failed + summary.unknown > 0) throw new BulkError({ table, summary })
}

/** Returns the error of a loop over a write that has begun. */
export function hasBegun(table: string): Error {
  return mapperInputError({
    code: 'InvalidOptionValue',
    message: `The bulk write to table ${table} has begun, so its outcomes cannot be iterated over. Iterate over it first, and ask for its summary afterwards.`,
  })
}
