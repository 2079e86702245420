import { type BesideName, besides } from './axes/besides.ts'
import { type ConditionName, conditions } from './axes/conditions.ts'
import { type GuaranteeName, guarantees } from './axes/guarantees.ts'
import { type ModelName, models } from './axes/models.ts'
import { type ServiceName, services } from './axes/services.ts'
import { type TroubleName, troubles } from './axes/troubles.ts'
import { type WriteName, writes } from './axes/writes.ts'
import { type Cell, coveringArray } from './covering-array.ts'
import { type Meeting, ordinary } from './meeting.ts'
import { isRefused } from './refusals.ts'

/** The axes of the table: what meets in each cell. */
export const axes = {
  model: Object.keys(models) as ModelName[],
  write: Object.keys(writes) as WriteName[],
  condition: Object.keys(conditions) as ConditionName[],
  guarantee: Object.keys(guarantees) as GuaranteeName[],
  trouble: Object.keys(troubles) as TroubleName[],
  beside: Object.keys(besides) as BesideName[],
  service: Object.keys(services) as ServiceName[],
}

/** Tells whether some values can meet: nothing is torn without a file, and only an input can be stuck. */
export function canMeet(values: Partial<Cell<typeof axes>>): boolean {
  const { write, guarantee, trouble, beside } = values as Partial<Meeting>
  const { tornAppend, stuck } = troubles[trouble ?? 'none']
  if (tornAppend !== undefined && guarantee && !guarantees[guarantee].hasJournal) return false
  // It reads each row of the table, and rejects those that its model cannot read.
  if (write === 'upgradeTable' && beside === 'another model') return false
  return stuck === undefined || write === undefined || writes[write].hasInput === true
}

/**
 * Returns cells in which each combination of so many values occurs, unless the API refuses it.
 *
 * @param strength - 2 for pairs, 3 for triples
 * @param seed - the same seed gives the same cells
 */
export function meetingsOf(strength: number, seed = 1): readonly Meeting[] {
  const allows = (values: Partial<Cell<typeof axes>>): boolean =>
    canMeet(values) && !isRefused(values as Partial<Meeting>)
  return coveringArray(axes, { strength, seed, allows, first: remembered }) as readonly Meeting[]
}

/** Meetings of more than two values that once went wrong. */
export const remembered: readonly Meeting[] = (
  [
    // An unconditional merge trusts the version that its object once read.
    { model: 'rolling deployment', condition: '*', beside: 'an old program' },
    { model: 'rolling deployment', condition: 'given ETag', beside: 'an old program' },
    { model: 'versioned', condition: '*', beside: 'an old program' },
    // A stale ETag during a migration.
    { model: 'versioned', condition: 'stale ETag' },
    // An expected 404 after an attempt in doubt.
    {
      write: 'deleteIfExists',
      condition: '*',
      guarantee: 'exact',
      trouble: 'late attempt',
      beside: 'a rival',
    },
    { write: 'deleteIfExists', condition: '*', guarantee: 'idempotency key', beside: 'a rival' },
    // Generations of markers.
    { write: 'insertOrReplace', guarantee: 'idempotency key', trouble: 'deadline' },
    // A late duplicate of an older success.
    { write: 'insertOrReplace', guarantee: 'exact', trouble: 'late duplicate', beside: 'a rival' },
    // A row that was deleted meanwhile.
    { write: 'tolerant bulk', beside: 'a rival' },
    // Journals.
    {
      write: 'bulk',
      guarantee: 'exact journal',
      trouble: 'torn file',
      beside: 'a rival',
      condition: '*',
    },
    {
      write: 'bulk',
      guarantee: 'exact journal',
      trouble: 'torn file and kill',
      beside: 'a rival',
      condition: '*',
    },
    { write: 'bulk', guarantee: 'journal', trouble: 'torn header' },
    { write: 'bulk', guarantee: 'journal', beside: 'a rival' },
  ] satisfies readonly Partial<Meeting>[]
).map((values) => ({ ...ordinary, ...values }))

/** Prints a cell in one line. */
export function printMeeting(meeting: Meeting): string {
  return Object.values(meeting).join(SEPARATOR)
}

/** Reads a cell from the line that {@link printMeeting} prints. */
export function parseMeeting(line: string): Meeting {
  const values = line.split(SEPARATOR)
  const cell = Object.fromEntries(Object.keys(axes).map((name, at) => [name, values[at]]))
  for (const [name, known] of Object.entries(axes)) {
    const value = String(cell[name])
    if (!(known as readonly string[]).includes(value)) throw new Error(`No ${name} is ${value}.`)
  }
  return cell as unknown as Meeting
}

const SEPARATOR = ' × '
