import type { KeptTable, RowTransition } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import {
  type CallOptions,
  deleteEntityIfExists,
  insertOrReplaceEntity,
  perform,
} from '@rowkey/rest'
import { findStored } from '../rows/stored-row.ts'
import { splitByRow } from '../upkeep/unreadable-row.ts'
import { type EventualIndex, isSameKey } from './eventual-entry.ts'

/** The message of a write, as JSON holds it: a row, and the entries that it had or got. */
export interface RowMessage {
  /** The key of the row. */
  readonly row: EntityKey
  /** Keys of entries, by the name of the index. */
  readonly entries: Readonly<Record<string, readonly EntityKey[]>>
}

/** Returns the message of a write; empty when it changed no entry. */
export function messagesOf(
  indexes: readonly EventualIndex[],
  { key, before, after }: RowTransition,
): readonly RowMessage[] {
  const entries: Record<string, readonly EntityKey[]> = {}
  for (const index of indexes) {
    const was = before && index.entryOf(before)
    const is = after && index.entryOf(after)
    if (was?.body === is?.body) continue
    entries[index.name] = [was, is].flatMap((entry) => entry?.key ?? [])
  }
  return Object.keys(entries).length > 0 ? [{ row: key, entries }] : []
}

/**
 * Gives a row the entries that it should have, and removes its others among those of the message.
 *
 * The row is read before and after: while it changes, everything is done again. So several workers may follow
 * one row at once, and a worker that is late undoes nothing.
 */
export async function followRow(
  indexes: readonly EventualIndex[],
  table: KeptTable,
  { row, entries }: RowMessage,
  options: CallOptions,
): Promise<void> {
  const touched = new Map(indexes.map(({ name }) => [name, [...(entries[name] ?? [])]]))
  for (;;) {
    const stored = await findStored(table, row, options)
    // An unreadable row keeps its entries: it is a finding of verify, and must not stop the messages of other rows.
    const followed = stored ? splitByRow(indexes, stored.raw).readable : indexes
    for (const index of followed) {
      const entry = stored && index.entryOf(stored.raw)
      const keys = touched.get(index.name) ?? []
      await removeAll(
        index.tableFor(table),
        keys.filter((key) => entry === undefined || !isSameKey(key, entry.key)),
        options,
      )
      if (entry === undefined) continue
      const target = index.tableFor(table)
      const input = { table: target.name, key: entry.key, body: entry.body }
      await perform(target.service, insertOrReplaceEntity, input, options)
      keys.push(entry.key)
    }
    const again = await findStored(table, row, options)
    if (again?.etag === stored?.etag) return
  }
}

async function removeAll(
  { service, name: table }: KeptTable,
  keys: readonly EntityKey[],
  options: CallOptions,
): Promise<void> {
  for (const key of keys) {
    const input = { table, key, body: '', etag: '*' }
    await perform(service, deleteEntityIfExists, input, options)
  }
}
