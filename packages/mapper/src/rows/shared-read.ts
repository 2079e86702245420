import type { Call, EntityRead, ReadResult, TableService } from '@rowkey/rest'
import { onceForEach } from '../model/once-for-each.ts'
import type { Rows } from './rows.ts'

/** How {@link sharedRead} reads a row. */
interface SharedRead {
  /** Reads rows. */
  readonly rows: Rows
  readonly method: 'get' | 'find'
  readonly call: Call
  readonly input: EntityRead
}

/** A read that is not sent yet. */
interface WaitingRead {
  readonly read: SharedRead
  readonly result: Promise<ReadResult | undefined>
}

/** The reads of an account that are not sent yet, by their keys. */
type WaitingReads = Map<string, WaitingRead[]>

const waitingOf = onceForEach((_: TableService): WaitingReads => new Map())

/**
 * Reads a row. Equal reads of the same tick are one request, which is sent at the end of the tick. A read never joins a request that
 * was sent before: its response may be older than the read.
 *
 * @param read - what to read, and how
 * @returns the row, which the caller must not change; `undefined` from `find` for a missing one
 * @throws TransportError (`AccountClosed`) when the account is closing
 */
export function sharedRead(read: SharedRead): Promise<ReadResult | undefined> {
  const waiting = waitingOf(read.call.service)
  const { partitionKey, rowKey } = read.input.key
  const key = `${partitionKey}\n${rowKey}`
  const ofKey = waiting.get(key)
  const same = ofKey?.find((other) => isSame(other.read, read))
  if (same !== undefined) return same.result
  read.call.begin()
  const result = sentAfterTick(read, waiting, key)
  if (ofKey === undefined) waiting.set(key, [{ read, result }])
  else ofKey.push({ read, result })
  return result
}

async function sentAfterTick(
  { rows, method, call, input }: SharedRead,
  waiting: WaitingReads,
  key: string,
): Promise<ReadResult | undefined> {
  try {
    await undefined // the rest of the tick
    waiting.delete(key)
    return await rows[method](call, input)
  } finally {
    call.end()
  }
}

function isSame(one: SharedRead, other: SharedRead): boolean {
  if (one.method !== other.method || !one.rows.readsAs(other.rows)) return false
  return rowText(one.input) === rowText(other.input) && isSameCall(one.call, other.call)
}

const rowText = ({ table, key, select }: EntityRead): string =>
  JSON.stringify([table, key.partitionKey, key.rowKey, select])

/** Whether two calls end at the same moment, by the same signal, and make their requests in the same way. */
function isSameCall(one: Call, other: Call): boolean {
  if (one.endsAt !== other.endsAt) return false
  const [options, others] = [comparable(one), comparable(other)]
  const names = new Set([...Object.keys(options), ...Object.keys(others)]) as Set<
    keyof Call['given']
  >
  return [...names].every((name) => options[name] === others[name])
}

/** Leaves out a deadline of milliseconds, which `endsAt` has. */
function comparable({ given }: Call): Call['given'] {
  return typeof given.deadline === 'number' ? { ...given, deadline: undefined } : given
}
