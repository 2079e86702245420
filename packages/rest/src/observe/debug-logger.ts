import type { CallLogger } from './call-event.ts'

const NAMES = ['rowkey', 'rowkey*', 'rowkey:*', '*']

/**
 * Returns a logger to the standard error stream when the variable `DEBUG` names `rowkey`, as `rowkey`,
 * `rowkey*` or `*`, and does not exclude it, as `*,-rowkey`.
 *
 * @param debug - the value of the variable
 */
export function debugLogger(debug: string | undefined = process.env.DEBUG): CallLogger | undefined {
  const names = (debug ?? '').split(/[\s,]+/)
  const isNamed = NAMES.some((name) => names.includes(name))
  if (!isNamed || NAMES.some((name) => names.includes(`-${name}`))) return undefined
  const write = (line: string): void => void process.stderr.write(`${line}\n`)
  return { debug: write, warn: write }
}
