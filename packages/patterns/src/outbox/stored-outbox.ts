import { and, type FilterNode, keyOfRaw, type RowkeyError } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { beginningFilter, inPartition, textIs } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { findStored } from '../rows/stored-row.ts'
import { readable, Unreadable } from '../rows/unreadable.ts'
import {
  deadBeginning,
  headIn,
  headKey,
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
  return stored === undefined ? NO_HEAD : headIn(stored)
}

/** Reads the head and the messages of a partition, in their order. */
export async function readOutbox(place: OutboxPlace, options: CallOptions): Promise<OutboxView> {
  let head = NO_HEAD
  let unreadable: RowkeyError | undefined
  const messages: StoredMessage[] = []
  const { rowKey } = headKey(place)
  for await (const raw of scanRows(place, liveFilter(place), options)) {
    const key = keyOfRaw(raw)
    if (key.rowKey === rowKey) {
      head = headIn(raw)
      continue
    }
    const message = readable(key, () => storedMessageIn(place.name, raw))
    if (message instanceof Unreadable) unreadable ??= message.finding.error
    else messages.push(message)
  }
  return { head, messages, unreadable }
}

/** Reads the dead letters of a partition, in their order. */
export async function readDeadLetters(
  place: OutboxPlace,
  options: CallOptions,
): Promise<readonly StoredMessage[]> {
  const filter = and(inPartition(place.partitionKey), beginningFilter(deadBeginning(place)))
  const dead: StoredMessage[] = []
  for await (const raw of scanRows(place, filter, options)) {
    dead.push(storedMessageIn(place.name, raw))
  }
  return dead
}

/** The head sorts before all messages, and dead letters after them. */
function liveFilter(place: OutboxPlace): FilterNode {
  return and(
    inPartition(place.partitionKey),
    textIs('RowKey', 'ge', headKey(place).rowKey),
    textIs('RowKey', 'lt', `${place.beginning}:`),
  )
}
