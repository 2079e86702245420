import type { KeptTable, RowTransition } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import {
  type AmbiguousWriteError,
  type CallOptions,
  deleteEntity,
  perform,
  updateEntity,
} from '@rowkey/rest'
import { isAmbiguous, isConflict, waitWithin } from '../conflicts/retry-conflicts.ts'
import { insertKept } from '../rows/changes.ts'
import { etagOf, findStored, isSameKey } from '../rows/stored-row.ts'
import { keptBefore, Unreadable } from '../rows/unreadable.ts'
import type { EntityIndex, IndexEntry } from './index-entry.ts'

/** The message of a write, as JSON holds it: a row, and the entries that it had or got. */
export interface RowMessage {
  /** The key of the row. */
  readonly row: EntityKey
  /** Keys of entries, by the id of the index. */
  readonly entries: Readonly<Record<string, readonly EntityKey[]>>
}

/**
 * Returns the message of a write; empty when it changed no entry.
 *
 * @throws InputError for a value that the service cannot store in the key of an entry: no worker could follow the message
 */
export function messagesOf(
  indexes: readonly EntityIndex[],
  { key, before, after }: RowTransition,
  table: KeptTable,
): readonly RowMessage[] {
  const entries: Record<string, readonly EntityKey[]> = {}
  for (const index of indexes) {
    const was = keptBefore(before, (raw) => index.entryOf(raw, table))
    const is = after && index.entryOf(after, table)
    if (was?.body === is?.body) continue
    entries[index.id] = [was, is].flatMap((entry) => entry?.key ?? [])
  }
  return Object.keys(entries).length > 0 ? [{ row: key, entries }] : []
}

/** Where rows are followed. */
export interface FollowedTable {
  readonly indexes: readonly EntityIndex[]
  /** The table of the rows. */
  readonly table: KeptTable
  /** Milliseconds after which a write without a response no longer arrives. */
  readonly writeTimeout: number
}

/** How often a row is followed whose writes get no response. */
const MAX_DOUBTS = 10

/** The entries that a row should have; `undefined` for none. */
type WantedEntries = ReadonlyMap<EntityIndex, IndexEntry | undefined>

/** A key that an entry of a row has or had. */
interface Place {
  readonly index: EntityIndex
  readonly key: EntityKey
}

/** A place, and the ETag of the entry that is stored there. */
interface ReadPlace extends Place {
  readonly etag: string | undefined
}

/**
 * Gives a row the entries that it should have, and removes its others among those of the message.
 *
 * It reads the entries first, then the row, and writes each entry by its ETag, also one that is right already. So a worker
 * that read an older version of the row changes no entry that another worker wrote since, even when the network delivers its
 * request late. An insert cannot carry an ETag. So after an insert the row is read once more; if it changed, it starts over. After an
 * insert without a response, it starts over when the request can no longer arrive.
 *
 * @throws AmbiguousWriteError when responses are lost each time
 * @throws DecodeError (`UnreadableVersion`) for a row of a later version of the model: a later program must follow the message
 */
export async function followRow(
  { indexes, table, writeTimeout }: FollowedTable,
  { row, entries }: RowMessage,
  options: CallOptions,
): Promise<void> {
  // An index without an entry in the message has the same entry as before the write.
  const changed = indexes.filter(({ id }) => entries[id] !== undefined)
  const named = changed.flatMap((index) =>
    (entries[index.id] ?? []).map((key): Place => ({ index, key })),
  )
  let places = named.filter((each, at) => named.findIndex(isAt(each)) === at)
  for (let doubts = 0; ; ) {
    const read = places.map(async ({ index, key }): Promise<ReadPlace> => {
      const entry = await findStored(index.tableFor(table), key, options)
      return { index, key, etag: entry && etagOf(entry) }
    })
    const known = await Promise.all(read)
    const stored = await findStored(table, row, options)
    const wanted = entriesOf(changed, stored, table)
    const own = [...wanted].flatMap(([index, entry]) => (entry ? { index, key: entry.key } : []))
    const missing = own.filter((each) => !places.some(isAt(each)))
    places = [...places, ...missing]
    if (missing.length > 0) continue
    const end = await writePlaces(known, wanted, table, options)
    if (isAmbiguous(end)) {
      await waitWithin(table.service, writeTimeout, options)
      if (++doubts === MAX_DOUBTS) throw end
      continue
    }
    if (end === 'conflict') continue
    if (end === 'done') return
    const again = await findStored(table, row, options)
    if ((again && etagOf(again)) === (stored && etagOf(stored))) return
  }
}

/**
 * Makes the entries of a row. An unreadable row keeps its entries: it is a finding of verify.
 *
 * @throws DecodeError (`UnreadableVersion`) for a row that a program of a later version can read
 */
function entriesOf(
  indexes: readonly EntityIndex[],
  raw: RawEntity | undefined,
  table: KeptTable,
): WantedEntries {
  const wanted = new Map<EntityIndex, IndexEntry | undefined>()
  for (const index of indexes) {
    const entry = raw && index.readEntry(raw, table)
    if (!(entry instanceof Unreadable)) wanted.set(index, entry)
    else if (entry.finding.error.code === 'UnreadableVersion') throw entry.finding.error
  }
  return wanted
}

function isAt({ index, key }: Place): (other: Place) => boolean {
  return (other) => other.index === index && isSameKey(other.key, key)
}

/** Writes each entry at the version that was read, and tells whether one was inserted. Returns an error when one may still be. */
async function writePlaces(
  places: readonly ReadPlace[],
  wanted: WantedEntries,
  table: KeptTable,
  options: CallOptions,
): Promise<'conflict' | 'inserted' | 'done' | AmbiguousWriteError> {
  let end: 'conflict' | 'inserted' | 'done' = 'done'
  let doubt: AmbiguousWriteError | undefined
  for (const { index, key, etag } of places) {
    if (!wanted.has(index)) continue
    const { service, name } = index.tableFor(table)
    const entry = wanted.get(index)
    const input = { table: name, key, body: '', etag: etag ?? '' }
    try {
      if (entry === undefined || !isSameKey(entry.key, key)) {
        if (etag !== undefined) await perform(service, deleteEntity, input, options)
      } else if (etag === undefined) {
        end = 'inserted'
        // It is not repeated at once: a second success would not show that the first may still arrive.
        await perform(service, insertKept, { table: name, key, body: entry.body }, options)
      } else {
        await perform(service, updateEntity, { ...input, body: entry.body }, options)
      }
    } catch (error) {
      if (isAmbiguous(error)) {
        doubt = error
        continue
      }
      if (doubt === undefined && !isConflict(error)) throw error
      end = 'conflict'
      break
    }
  }
  return doubt ?? end
}
