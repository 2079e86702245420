import type { InputError } from '@rowkey/odata'
import { cannotRemove, UNKNOWN_OUTCOME } from '../errors/compose-errors.ts'
import { Row } from '../member/row.ts'
import type { Compared, Member, OriginalRow, Part, PartWrite } from './row-codec.ts'

/**
 * Returns the members of an entity that a write sends: those with a value that may differ from what is stored.
 *
 * A merge sends what changed since the row was known, and what is in doubt. An upsert sends what the entity shows, without the defaults
 * of a schema that a read shows, and those that a projection shows for properties that it did not read. Of another row nothing is known,
 * so all values are sent.
 *
 * @param members - the entity beside the row
 * @param from - the row that it was compared with
 * @throws `InputError` (`InvalidPropertyValue`) when a merge would have to remove a property
 */
export function difference(
  members: readonly Member[],
  from: OriginalRow | undefined,
  kind: PartWrite['kind'],
): readonly Member[] {
  if (from === undefined || from.isOther) return members.filter(({ state }) => state !== 'missing')
  const isSent = kind === 'merge' ? isChanged : isShown
  return members.filter((member) => isSent(member, from))
}

function isChanged(
  { property, state, text, stored }: Member,
  { doubtful, initial }: OriginalRow,
): boolean {
  const isDoubtful = doubtful?.has(property.name) === true
  if (state === 'missing') {
    if (stored !== undefined || isDoubtful) throw noValue({ property, stored }, isDoubtful)
    return false
  }
  if (stored === undefined) return text !== initial?.get(property.name)
  return state === 'changed' || isDoubtful
}

function isShown(
  { property, state, text, stored }: Member,
  { partial, initial }: OriginalRow,
): boolean {
  if (state === 'missing' || stored !== undefined) return state !== 'missing'
  return !(partial || property.hasDefault) || text !== initial?.get(property.name)
}

const ABSENCE = { problem: 'has no value now', fix: 'give it a value' }

/** Makes the error of a merge that would remove a property. */
function noValue(
  { property, stored }: Pick<Member, 'property' | 'stored'>,
  isDoubtful: boolean,
): InputError {
  const { name, label, type, absence = ABSENCE } = property
  const [state, fix] = isDoubtful
    ? [`may be stored, because ${UNKNOWN_OUTCOME}`, 'Use replace, or reload the entity,']
    : ['is stored', 'Use replace or modify,']
  const place = label === name ? `'${label}'` : label
  const problem = `${place} ${state}, but ${absence.problem}`
  const details = { property: label, type: stored?.type ?? type }
  return cannotRemove(problem, `${fix} or ${absence.fix}.`, details)
}

/** Writes what differs between an entity and a row; the row of a merge of nothing is a key. */
export function writeDifference(
  { key, members, write }: Compared,
  from: OriginalRow | undefined,
  kind: PartWrite['kind'],
): Part {
  const chosen = difference(members, from, kind)
  return kind === 'merge' && chosen.length === 0 ? { row: Row.of(key), names: [] } : write(chosen)
}
