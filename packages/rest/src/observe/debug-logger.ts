import process from 'node:process'
import type { CallLogger } from './call-event.ts'

/**
 * Returns a logger to the standard error stream when the variable `DEBUG` names `rowkey`, as `rowkey`,
 * `rowkey*` or `*`.
 *
 * @param debug - the value of the variable
 */
export function debugLogger(debug: string | undefined = process.env.DEBUG): CallLogger | undefined {
  const names = (debug ?? '').split(/[\s,]+/)
  if (!names.some((name) => ['rowkey', 'rowkey*', 'rowkey:*', '*'].includes(name))) return undefined
  const write = (line: string): void => void process.stderr.write(`${line}\n`)
  return { debug: write, warn: write }
}
