import type { KeptPlan } from '@rowkey/mapper'
import { isConflict } from '../conflicts/retry-conflicts.ts'

/** The plan of writes beside which nothing is stored. */
export const NOTHING_KEPT: KeptPlan = Object.freeze({
  companions: [],
  rejected: async (_: number, error: Error) => error,
})

/** Lets writes be planned again when another program was faster. */
export const planAgain: KeptPlan['rejected'] = async (_, error) =>
  isConflict(error) ? undefined : error
