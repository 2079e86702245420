import type { Fault, LostResponse, Write } from './lost-responses.ts'

/**
 * Exact writes under faults, as data. The first turn is the write's own request; the turns after a lost
 * response are its repetition, the fence and the reads of the marker and of the row.
 */
export interface ExactScenario extends LostResponse {
  /** How often the write was applied in all. */
  readonly applied: number
}

const applied = { outcome: 'ok', applied: 1 } as const
const rejected = { applied: 0 } as const

/** What is stored once each write has been applied. */
const afterwards = {
  insert: 2,
  insertOrReplace: 2,
  insertOrMerge: 2,
  replace: 2,
  'replace *': 2,
  merge: 2,
  'merge *': 2,
  delete: 'none',
  'delete *': 'none',
  'batch of inserts': 2,
  'batch with a merge': 2,
} as const satisfies Partial<Record<Write, LostResponse['stored']>>

/** How many rows are read for the ETags of a write that its marker has settled. */
const etagReads: Partial<Record<Write, number>> = {
  insert: 1,
  insertOrReplace: 1,
  replace: 1,
  'replace *': 1,
  'batch of inserts': 2,
  'batch with a merge': 1,
}

const writes = Object.keys(afterwards) as readonly (keyof typeof afterwards)[]
const before = ['refused', 'lost before', 'busy', 'throttled', 'failing before'] as const
const after = [
  ...(['lost after', 'silent after', 'failing after'] as const),
  ...(['gateway after', 'page after', 'cut after'] as const),
]

/** The read of the marker, and those of the rows. */
const settling = (write: Write): readonly Fault[] =>
  Array<Fault>(1 + (etagReads[write] ?? 0)).fill('pass')

/** Every write with every fault, once and with others after it: it is applied once, and the caller learns that. */
const everyFault: readonly ExactScenario[] = writes
  .flatMap((write) => [
    ...before.map((fault) => ({ write, turns: [fault, 'pass'] as const })),
    ...after.map((fault) => ({ write, turns: [fault, 'pass', ...settling(write)] as const })),
    ...after.map((fault) => ({
      ...{ write, turns: [fault, 'busy', 'refused', 'pass', ...settling(write)] as const },
    })),
  ])
  .map((scenario) => ({ ...scenario, stored: afterwards[scenario.write], ...applied }))

export const exactScenarios: readonly ExactScenario[] = [
  ...everyFault,

  // The marker proves the first attempt.
  { write: 'insert', turns: ['lost after', 'pass', 'pass', 'pass'], stored: 2, ...applied },
  { write: 'replace', turns: ['lost after', 'pass', 'pass', 'pass'], stored: 2, ...applied },
  { write: 'merge', turns: ['silent after', 'pass', 'pass'], stored: 2, ...applied },
  { write: 'delete', turns: ['lost after', 'pass', 'pass'], stored: 'none', ...applied },
  { write: 'delete *', turns: ['gateway after', 'pass', 'pass'], stored: 'none', ...applied },
  { write: 'insertOrReplace', turns: ['cut after', 'pass', 'pass', 'pass'], stored: 2, ...applied },
  { write: 'insertOrMerge', turns: ['failing after', 'pass', 'pass'], stored: 2, ...applied },
  {
    write: 'batch with a merge',
    turns: ['lost after', 'pass', 'pass', 'pass'],
    stored: 2,
    ...applied,
  },
  {
    write: 'batch of inserts',
    turns: ['page after', 'pass', 'pass', 'pass', 'pass'],
    stored: 2,
    ...applied,
  },

  // The first attempt was not applied, and the second is.
  { write: 'insert', turns: ['lost before', 'pass'], stored: 2, ...applied },
  { write: 'merge', turns: ['failing before', 'pass'], stored: 2, ...applied },
  { write: 'delete', turns: ['refused', 'pass'], stored: 'none', ...applied },

  // A rival inserts the same content: no false success.
  {
    write: 'insert',
    turns: ['lost before', ['inserts the same', 'pass'], 'pass'],
    outcome: 'EntityAlreadyExists',
    stored: 2,
    ...rejected,
  },
  // A rival deletes what the first attempt stored: no second insert.
  {
    write: 'insert',
    turns: ['lost after', ['deletes it', 'pass'], 'pass', 'pass'],
    stored: 'none',
    ...applied,
  },
  // A rival overwrites what the first attempt stored: nothing of the rival is lost.
  {
    write: 'insertOrReplace',
    turns: ['lost after', ['changes it', 'pass'], 'pass', 'pass'],
    stored: 9,
    ...applied,
  },
  {
    write: 'merge *',
    turns: ['lost after', ['changes it', 'pass'], 'pass'],
    stored: 9,
    ...applied,
  },
  {
    write: 'merge',
    turns: ['lost after', ['changes it', 'pass'], 'pass'],
    stored: 9,
    ...applied,
  },
  // A rival wins: the rejection is certain.
  {
    write: 'merge',
    turns: ['lost before', ['changes it', 'pass'], 'pass'],
    outcome: 'UpdateConditionNotSatisfied',
    stored: 9,
    ...rejected,
  },
  {
    write: 'delete',
    turns: ['lost before', ['deletes it', 'pass'], 'pass'],
    outcome: 'ResourceNotFound',
    stored: 'none',
    ...rejected,
  },
  // All attempts are lost: the fence tells.
  {
    write: 'merge',
    turns: ['lost before', 'refused', 'refused', 'refused', 'pass'],
    outcome: 'TransportFailed',
    stored: 1,
    ...rejected,
  },
  {
    write: 'merge',
    turns: ['lost after', 'refused', 'refused', 'refused', 'pass', 'pass'],
    stored: 2,
    ...applied,
  },
  // The response to the fence is lost too.
  {
    write: 'insert',
    turns: ['lost before', 'refused', 'refused', 'refused', 'lost after', 'pass', 'pass'],
    outcome: 'TransportFailed',
    stored: 'none',
    ...rejected,
  },
  // The fence cannot be stored now, and resolve() stores it later.
  {
    write: 'merge',
    turns: ['lost after', ...Array<'refused'>(7).fill('refused')],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 2,
    resolved: 'applied',
    applied: 1,
  },
  {
    write: 'delete',
    turns: ['lost before', ...Array<'refused'>(7).fill('refused')],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 1,
    resolved: 'not applied',
    applied: 0,
  },
]
