import { InputError, type RawEntity } from '@rowkey/odata'
import type { Members } from '../model/members-in.ts'
import type { ColumnCodec } from './column-codec.ts'
import { readColumn } from './read-column.ts'
import { initialMember } from './sent-member.ts'

/**
 * Assigns what is stored. A member that is not keeps its initial value, whose JSON is noted: a
 * merge must not store what nobody gave.
 *
 * @returns the JSON of those initial values by stored name; `undefined` when there are none
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

/** An initial value may be none that can be stored: that is for the next write to tell, not for a read. */
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
