import { type BulkSummary, fromPlain, type Table } from 'rowkey'
import { Plan } from './plan.ts'

/**
 * Stores the plans that are missing. Plans that exist stay as they are, so it can run at every start, also in several
 * processes at once.
 *
 * @param plans - the table
 * @param list - the plans of a file
 * @throws Error naming the plan and its property; then nothing is stored
 */
export async function seed(plans: Table<Plan>, list: readonly unknown[]): Promise<BulkSummary> {
  const entities = list.map(readPlan)
  await plans.createIfNotExists()
  return plans.bulk({ onConflict: 'skip' }).insert(entities)
}

function readPlan(plain: unknown, index: number): Plan {
  try {
    return fromPlain(Plan, plain)
  } catch (cause) {
    throw new Error(`Plan ${index}: ${cause instanceof Error && cause.message}`, { cause })
  }
}
