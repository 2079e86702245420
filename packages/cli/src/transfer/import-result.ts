import type { BulkSummary } from '@rowkey/mapper'
import { type EntityKey, isRowkeyError } from '@rowkey/odata'
import { count, counted } from '../output/progress.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { failureText } from './failure-text.ts'

/** What became of the rows of an import or a copy. */
export interface ImportResult {
  written: number
  skipped: number
  failed: number
  /** How many rows an earlier run had written or skipped. */
  resumed: number
  /** The first failures: the key of the row, and the reason. */
  readonly failures: {
    readonly key: readonly string[]
    readonly message: string
    /** The code of the error; absent for one of another library. */
    readonly code?: string | undefined
  }[]
}

/** Tells whether a value from a file is a result. */
export function isResult(value: unknown): value is ImportResult {
  const { written, skipped, failed, resumed, failures }: Record<string, unknown> = Object(value)
  return (
    [written, skipped, failed, resumed].every(isCount) &&
    Array.isArray(failures) &&
    failures.every((failure) => Array.isArray(failure?.key) && typeof failure.message === 'string')
  )
}

/** Tells whether a value from a file is a number of rows or bytes. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** The result before the first row. */
export function noResult(): ImportResult {
  return { written: 0, skipped: 0, failed: 0, resumed: 0, failures: [] }
}

const MOST_FAILURES = 20

/** Adds the counts and the failures of a bulk write to a result. */
export function countedSummary(result: ImportResult, summary: BulkSummary): void {
  const { done, skipped, failed, unknown, resumed, failures } = summary
  result.written += done
  result.skipped += skipped
  result.failed += failed + unknown
  result.resumed += resumed
  for (const { key, item, error } of failures) {
    // A row that was rejected before it was sent has its key only in its operation.
    const { entity, target }: Record<string, EntityKey> = Object(item)
    addFailure(result, (key ?? entity ?? target) as EntityKey, error)
  }
}

/** Adds the reason why a row failed to a result, unless it has many. */
export function addFailure(
  { failures }: ImportResult,
  { partitionKey, rowKey }: EntityKey,
  error: unknown,
): void {
  if (failures.length >= MOST_FAILURES) return
  const message = failureText(error)
  const code = isRowkeyError(error) ? error.code : undefined
  failures.push({ key: [partitionKey, rowKey], message, code })
}

/**
 * Prints a result in lines.
 *
 * @param verb - what happened to the rows, such as `Wrote`
 * @param where - the table: `to people`
 * @param result - the result
 */
export function resultText(verb: string, where: string, result: ImportResult): string {
  const { written, skipped, failed, resumed, failures } = result
  const parts = [
    `${verb} ${counted(written, 'row')} ${where}`,
    ...(skipped > 0 ? [`skipped ${count(skipped)} that exist`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(resumed > 0 ? [`${count(resumed)} of them by an earlier run`] : []),
  ]
  const lines = failures.map(({ key, message }) =>
    withoutControls(`  ${key.join(' ')}: ${message}`),
  )
  const isConflict = failures.some(({ code }) => code === 'ExistingRow')
  const advice = isConflict ? ['--on-existing chooses what happens to rows that exist.'] : []
  return `${[withoutControls(`${parts.join('; ')}.`), ...lines, ...advice].join('\n')}\n`
}
