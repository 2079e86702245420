import type { ShownRow, ShownValue } from '../src/server/wire.ts'
import type { RowChanges } from './row-fields.ts'

/** A property in three versions of a row: as it was read, as the reader wants it, and as it is stored. */
export interface ComparedProperty {
  readonly name: string
  readonly read: ShownValue | undefined
  readonly mine: ShownValue | undefined
  readonly stored: ShownValue | undefined
  /** Who changed it. */
  readonly by: 'me' | 'others' | 'both'
}

/**
 * Compares what the reader changed with what others have changed since.
 *
 * @param read - the row as it was read; absent for an insert
 * @param changes - what the reader changed; `undefined` for a delete
 * @param stored - the stored row; `null` when it was deleted
 * @returns the properties that are not the same in all three
 */
export function compareVersions(
  read: ShownRow | undefined,
  changes: RowChanges | undefined,
  stored: ShownRow | null,
): readonly ComparedProperty[] {
  const before = new Map(read?.values)
  const now = new Map(stored?.values)
  const mine = changes === undefined ? new Map<string, ShownValue>() : applied(before, changes)
  const names = new Set([...before.keys(), ...mine.keys(), ...now.keys()])
  return [...names].flatMap((name) => {
    const values = { read: before.get(name), mine: mine.get(name), stored: now.get(name) }
    const isMine = !isSame(values.read, values.mine)
    const isTheirs = !isSame(values.read, values.stored)
    if (!isMine && !isTheirs) return []
    return [{ name, ...values, by: isMine && isTheirs ? 'both' : isMine ? 'me' : 'others' }]
  })
}

function applied(
  before: ReadonlyMap<string, ShownValue>,
  { set, remove }: RowChanges,
): ReadonlyMap<string, ShownValue> {
  const after = new Map(before)
  for (const { name, type, text } of set) after.set(name, { type, text })
  for (const name of remove) after.delete(name)
  return after
}

function isSame(one: ShownValue | undefined, other: ShownValue | undefined): boolean {
  return one?.type === other?.type && one?.text === other?.text
}
