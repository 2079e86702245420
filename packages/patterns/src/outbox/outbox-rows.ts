import type { KeptTable } from '@rowkey/mapper'
import {
  DecodeError,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  EntityProperty,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import type { EntityWrite } from '@rowkey/rest'
import { etagOf, textIn } from '../rows/stored-row.ts'

/*
 * The rows of an outbox in one partition, below the beginning `~rk~ob~<model>~outbox~`:
 *
 *   ….                           the head: the number of the last transaction, and the job that delivers its messages
 *   …0000000000000007_001        the second message of transaction 7
 *   …dead_0000000000000003_000   a message whose handler failed in every attempt
 */

/** Where the rows of an outbox are. */
export interface OutboxPlace extends KeptTable {
  readonly partitionKey: string
  /** What the RowKeys of the rows begin with. */
  readonly beginning: string
}

/** The head of an outbox: each transaction with messages changes it by its ETag, so transactions have one order. */
export interface OutboxHead {
  /** The number of the last transaction; 0 before the first. */
  readonly last: number
  /** Names the job that delivers the messages; empty when none will. */
  readonly ticket: string
  /** When that job was announced: milliseconds since 1970, UTC. */
  readonly announcedAt: number
  /** The version that was read; empty when the row does not exist. */
  readonly etag: string
}

/** Returns where the messages of a model in one partition are. */
export function outboxPlace(
  { beginning }: Pick<OutboxPlace, 'beginning'>,
  { service, name }: KeptTable,
  partitionKey: string,
): OutboxPlace {
  return { service, name, partitionKey, beginning }
}

/** The head before the first transaction. */
export const NO_HEAD: OutboxHead = Object.freeze({ last: 0, ticket: '', announcedAt: 0, etag: '' })

/** A stored message. */
export interface StoredMessage {
  readonly key: EntityKey
  readonly etag: string
  /** Identifies the message, in all attempts. */
  readonly id: string
  /** The RowKey of the entity that it is about. */
  readonly source: string
  /** The message as JSON text. */
  readonly text: string
  /** How often its handler has failed. */
  readonly attempts: number
  /** When it may be handled again: milliseconds since 1970, UTC. */
  readonly after: number
  /** Why its handler failed last. */
  readonly reason: string
}

/** The property of a row that holds the message. */
const MESSAGE = 'Message'

const DIGITS = 16

/** Returns the key of the head. */
export function headKey({ partitionKey, beginning }: OutboxPlace): EntityKey {
  return { partitionKey, rowKey: `${beginning}.` }
}

/** Returns the key of a message: transactions in their order, and the messages of each in theirs. */
export function messageKey(
  { partitionKey, beginning }: OutboxPlace,
  transaction: number,
  at: number,
): EntityKey {
  const number = String(transaction).padStart(DIGITS, '0')
  return { partitionKey, rowKey: `${beginning}${number}_${String(at).padStart(3, '0')}` }
}

/** Returns what the RowKeys of all dead letters begin with. */
export function deadBeginning({ beginning }: Pick<OutboxPlace, 'beginning'>): string {
  return `${beginning}dead_`
}

/** Returns the key of a message among the dead letters. */
export function deadKey(place: OutboxPlace, { partitionKey, rowKey }: EntityKey): EntityKey {
  const own = rowKey.slice(place.beginning.length)
  return { partitionKey, rowKey: `${deadBeginning(place)}${own}` }
}

/** Returns the key that a dead letter had among the messages. */
export function liveKey(place: OutboxPlace, { partitionKey, rowKey }: EntityKey): EntityKey {
  const own = rowKey.slice(deadBeginning(place).length)
  return { partitionKey, rowKey: `${place.beginning}${own}` }
}

/** Writes the head. */
export function headInput(
  place: OutboxPlace,
  { last, ticket, announcedAt }: OutboxHead,
): EntityWrite {
  const key = headKey(place)
  const row = new DynamicEntity(key.partitionKey, key.rowKey, {
    Last: EntityProperty.int64(last),
    Ticket: ticket,
    // A clock may show parts of a millisecond.
    AnnouncedAt: EntityProperty.int64(Math.floor(announcedAt)),
  })
  return { table: place.name, key, body: dynamicEntityCodec.write(row) }
}

/** Reads the head. */
export function headIn(raw: RawEntity): OutboxHead {
  const row = dynamicEntityCodec.read(raw)
  return {
    last: Number(row.get('Last')?.value ?? 0),
    ticket: textIn(row, 'Ticket') ?? '',
    announcedAt: Number(row.get('AnnouncedAt')?.value ?? 0),
    etag: etagOf(raw),
  }
}

/** Writes a message. */
export function messageInput(
  table: string,
  { key, id, source, text, attempts, after, reason }: Omit<StoredMessage, 'etag'>,
): EntityWrite {
  const row = new DynamicEntity(key.partitionKey, key.rowKey, {
    [MESSAGE]: text,
    Id: id,
    Source: source,
    ...(attempts > 0 && {
      Attempts: attempts,
      After: EntityProperty.int64(Math.ceil(after)),
      Reason: reason,
    }),
  })
  return { table, key, body: dynamicEntityCodec.write(row) }
}

/**
 * Reads a message.
 *
 * @throws DecodeError (`UnreadableKeptRow`) for a row that another program stored or changed
 */
export function storedMessageIn(table: string, raw: RawEntity): StoredMessage {
  const key = keyOfRaw(raw)
  const row = dynamicEntityCodec.read(raw)
  const text = textIn(row, MESSAGE)
  if (text === undefined || !isJson(text)) throw unreadable(table, key)
  return {
    key,
    etag: etagOf(raw),
    id: textIn(row, 'Id') ?? key.rowKey,
    source: textIn(row, 'Source') ?? '',
    text,
    attempts: Number(row.get('Attempts')?.value ?? 0),
    after: Number(row.get('After')?.value ?? 0),
    reason: textIn(row, 'Reason') ?? '',
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function unreadable(table: string, { partitionKey, rowKey }: EntityKey): DecodeError {
  return new DecodeError({
    code: 'UnreadableKeptRow',
    message: `The row ${JSON.stringify([partitionKey, rowKey])} of table ${table} has the key of an outbox message, and does not hold one: another program stored or changed it. Delete the row, or correct its property '${MESSAGE}'.`,
    details: { table, partitionKey, rowKey, property: MESSAGE },
  })
}
