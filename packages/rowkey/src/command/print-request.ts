import type { RequestRecord } from '@rowkey/local'
import type { LogForm } from './serve-options.ts'

/**
 * Prints a request and its response in one line. A signature is replaced by `REDACTED`.
 *
 * @example
 * ```
 * 2026-11-23T06:17:14.123Z PUT /devstoreaccount1/people(PartitionKey='a',RowKey='b') 204 2 ms
 * ```
 */
export function printRequest(record: RequestRecord, form: LogForm): string {
  const { time, method, path, query, status, errorCode, duration, requestId, clientRequestId } =
    record
  const at = new Date(time).toISOString()
  const address = query === '' ? path : `${path}?${query}`
  if (form === 'json') {
    const { operation, account, table } = record
    const facts = { time: at, method, address, operation, account, table, status, errorCode }
    return `${JSON.stringify({ ...facts, duration, requestId, clientRequestId })}\n`
  }
  const code = errorCode === undefined ? '' : ` ${errorCode}`
  return `${at} ${method} ${address} ${status}${code} ${Math.round(duration ?? 0)} ms\n`
}
