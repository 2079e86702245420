import { ModelError } from '@rowkey/mapper'
import { InputError, isRowkeyError } from '@rowkey/odata'
import type { Said } from './oracle.ts'

/** The statuses of a condition that does not hold. */
const CONDITIONS: readonly unknown[] = [404, 409, 412]

/**
 * Reads what an error says about its write.
 *
 * @throws the error, when it says nothing
 */
export function saidOf(error: unknown): Said {
  const { status, mayHaveApplied }: { status?: number; mayHaveApplied?: boolean } = Object(error)
  if (isMistake(error)) return { how: 'not applied', error }
  if (!isRowkeyError(error)) throw error
  if (CONDITIONS.includes(status)) return { how: mayHaveApplied ? 'in doubt' : 'refused', error }
  if (mayHaveApplied === undefined) throw error
  return { how: mayHaveApplied ? 'in doubt' : 'not applied', error }
}

/** Tells whether an error says that a call can never be right. */
export function isMistake(error: unknown): error is InputError | ModelError {
  return error instanceof InputError || error instanceof ModelError
}
