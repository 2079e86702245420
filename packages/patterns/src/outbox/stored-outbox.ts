import {
  and,
  comparison,
  type FilterNode,
  isRowkeyError,
  keyOfRaw,
  literalOf,
  type RawEntity,
  type RowkeyError,
} from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { findStored } from '../rows/stored-row.ts'
import {
  deadRange,
  headIn,
  headKey,
  liveRange,
  NO_HEAD,
  type OutboxHead,
  type OutboxPlace,
  type StoredMessage,
  storedMessageIn,
} from './outbox-rows.ts'

/** The outbox of a partition as it is stored. */
export interface OutboxView {
  readonly head: OutboxHead
  readonly messages: readonly StoredMessage[]
  /** The first row that is not a message. */
  readonly unreadable: RowkeyError | undefined
}

/** Reads the head of a partition alone. */
export async function readHead(place: OutboxPlace, options: CallOptions): Promise<OutboxHead> {
  const stored = await findStored(place, headKey(place), options)
  return stored === undefined ? NO_HEAD : headIn(stored, place)
}

/** Reads the head and the messages of a partition, in their order. */
export async function readOutbox(place: OutboxPlace, options: CallOptions): Promise<OutboxView> {
  let head = NO_HEAD
  let unreadable: RowkeyError | undefined
  const messages: StoredMessage[] = []
  const { rowKey } = headKey(place)
  for await (const raw of scanRows(
    place,
    rangeFilter(place, liveRange(place.beginning)),
    options,
  )) {
    if (keyOfRaw(raw).rowKey === rowKey) {
      head = headIn(raw, place)
      continue
    }
    const message = readable(place.name, raw)
    if (isRowkeyError(message)) unreadable ??= message
    else messages.push(message)
  }
  return { head, messages, unreadable }
}

function readable(table: string, raw: RawEntity): StoredMessage | RowkeyError {
  try {
    return storedMessageIn(table, raw)
  } catch (error) {
    if (isRowkeyError(error)) return error
    throw error
  }
}

/** Reads the dead letters of a partition, in their order. */
export async function readDeadLetters(
  place: OutboxPlace,
  options: CallOptions,
): Promise<readonly StoredMessage[]> {
  const dead: StoredMessage[] = []
  for await (const raw of scanRows(
    place,
    rangeFilter(place, deadRange(place.beginning)),
    options,
  )) {
    dead.push(storedMessageIn(place.name, raw))
  }
  return dead
}

function rangeFilter(
  { partitionKey }: OutboxPlace,
  [from, below]: readonly [from: string, below: string],
): FilterNode {
  return and(
    inPartition(partitionKey),
    comparison('RowKey', 'ge', literalOf(from, 'String')),
    comparison('RowKey', 'lt', literalOf(below, 'String')),
  )
}
