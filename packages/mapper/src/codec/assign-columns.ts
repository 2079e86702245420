import { InputError, type RawEntity } from '@rowkey/odata'
import type { Members } from '../model/members-in.ts'
import type { ColumnCodec } from './column-codec.ts'
import { readColumn } from './read-column.ts'
import { initialMember } from './sent-member.ts'

/**
 * Assigns the stored values. A member that is not stored keeps its initial value, and its JSON is
 * recorded, so that a merge does not store a value that the caller never set.
 *
 * @returns the JSON of these initial values by stored name; `undefined` without one
 */
export function assignColumns(
  columns: readonly ColumnCodec[],
  members: Members,
  raw: RawEntity,
): ReadonlyMap<string, string> | undefined {
  let defaults: Map<string, string> | undefined
  for (const column of columns) {
    if (column.computed) continue
    const value = readColumn(column, raw)
    if (value !== undefined) {
      members[column.property] = value
      continue
    }
    const initial = members[column.property]
    if (initial === undefined || initial === null) continue
    const member = storableInitial(column, initial, raw)
    if (member === undefined) continue
    defaults ??= new Map()
    defaults.set(column.name, member)
  }
  return defaults
}

const UNSTORABLE: ReadonlySet<string> = new Set(['ConversionFailed', 'InvalidPropertyValue'])

/** Codes of initial values that cannot be stored. The next write reports them; a read ignores them. */
function storableInitial(
  column: ColumnCodec,
  initial: unknown,
  raw: RawEntity,
): string | undefined {
  try {
    return initialMember(column, initial, raw)
  } catch (error) {
    if (error instanceof InputError && UNSTORABLE.has(error.code)) return undefined
    throw error
  }
}
