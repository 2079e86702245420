/**
 * The outcomes of writes whose responses are lost, as data: an operation, the fault of each of its
 * requests (its attempts and the reads that settle it, in order), and the result.
 *
 * By default the table has one row, written an hour before, with `n` 1, and the operation writes
 * `n: 2`.
 */

/** The faults of one request. */
export const faults = [
  // No fault.
  'pass',
  // The server refuses the connection: nothing is sent.
  'refused',
  // The connection breaks before the service has the request.
  'lost before',
  // The connection breaks after the service has applied the request.
  'lost after',
  // No response in time, and the service has applied the request.
  'silent after',
  // The service rejects the request with ServerBusy.
  'busy',
  // 429.
  'throttled',
  // 500, and the request was not applied.
  'failing before',
  // 500, and the request was applied.
  'failing after',
  // 503 of a proxy, and the request was applied.
  'gateway after',
  // The response ends in the middle, and the request was applied.
  'cut after',
  // 200 with the page of a proxy, and the request was applied.
  'page after',
] as const

export type Fault = (typeof faults)[number]

/** A change by another client just before a request arrives. */
export type Rival =
  | 'inserts the same'
  | 'inserts another'
  | 'changes it'
  | 'deletes it'
  | 'drops the table'

export type Turn = Fault | readonly [Rival, Fault]

export type Write =
  | 'insert'
  | 'insertOrReplace'
  | 'insertOrMerge'
  | 'replace'
  | 'replace *'
  | 'merge'
  | 'merge *'
  | 'delete'
  | 'delete *'
  | 'create table'
  | 'delete table'
  | 'batch of inserts'
  | 'batch with a merge'
  | 'get'

export interface LostResponse {
  readonly write: Write
  /** Whether there is a row before; by default there is, except for inserts. */
  readonly row?: boolean
  readonly turns: readonly Turn[]
  /** `'ok'`, or the code of the error. */
  readonly outcome: string
  /** How many requests are made in all, read-backs included; by default one for each turn. */
  readonly requests?: number
  /** What the error says; by default `false`. */
  readonly mayHaveApplied?: boolean
  /** What is stored in the end: the `n` of the row, `'none'`, or `'no table'`. */
  readonly stored: number | 'none' | 'no table'
  /** Whether the ETag that comes back comes from a read-back. */
  readonly readEtag?: boolean
  /** What resolve() says afterwards. */
  readonly resolved?: 'applied' | 'not applied' | 'unknown'
}

const insert = { write: 'insert', stored: 2 } as const

/** What is stored once the write has been done. */
const afterwards: Readonly<Record<Write, LostResponse['stored']>> = {
  insert: 2,
  insertOrReplace: 2,
  insertOrMerge: 2,
  replace: 2,
  'replace *': 2,
  merge: 2,
  'merge *': 2,
  delete: 'none',
  'delete *': 'none',
  'create table': 'none',
  'delete table': 'no table',
  'batch of inserts': 2,
  'batch with a merge': 2,
  get: 1,
}

/** What comes of a repetition that meets the work of the attempt before. */
const repeated: Readonly<
  Record<Write, Pick<LostResponse, 'outcome' | 'readEtag' | 'mayHaveApplied'>>
> = {
  insert: { outcome: 'ok', readEtag: true },
  insertOrReplace: { outcome: 'ok' },
  insertOrMerge: { outcome: 'ok' },
  replace: { outcome: 'AmbiguousWrite', mayHaveApplied: true },
  'replace *': { outcome: 'ok' },
  merge: { outcome: 'AmbiguousWrite', mayHaveApplied: true },
  'merge *': { outcome: 'ok' },
  delete: { outcome: 'AmbiguousWrite', mayHaveApplied: true },
  'delete *': { outcome: 'ok' },
  'create table': { outcome: 'ok' },
  'delete table': { outcome: 'ok' },
  'batch of inserts': { outcome: 'ok', readEtag: true },
  'batch with a merge': { outcome: 'ok' },
  get: { outcome: 'ok' },
}

/** How many reads settle the doubt. */
const readBacks: Partial<Record<Write, readonly Fault[]>> = {
  insert: ['pass'],
  'batch of inserts': ['pass', 'pass'],
  // The row of the merge, and the row of the insert, which proves both.
  'batch with a merge': ['pass', 'pass'],
}

const writes = Object.keys(afterwards) as readonly Write[]
const before = ['refused', 'lost before', 'busy', 'throttled', 'failing before'] as const
const after = [
  'lost after',
  'silent after',
  'failing after',
  'gateway after',
  'page after',
] as const

/** Every write with every fault in which nothing is done: the repetition does it. */
const undone: readonly LostResponse[] = writes.flatMap((write) =>
  before.map((fault) => ({
    write,
    turns: [fault, 'pass'],
    outcome: 'ok',
    stored: afterwards[write],
  })),
)

/** Every write with every fault in which it is done: the repetition meets what was done. */
const done: readonly LostResponse[] = writes.flatMap((write) =>
  after.map((fault) => ({
    write,
    turns: [fault, 'pass', ...(readBacks[write] ?? [])],
    stored: afterwards[write],
    ...repeated[write],
  })),
)

/** Every write with a second fault after the first, of the kind that leaves no doubt of its own. */
const twice: readonly LostResponse[] = writes.flatMap((write) =>
  after.map((fault) => ({
    write,
    turns: [fault, 'busy', 'refused', 'pass', ...(readBacks[write] ?? [])],
    stored: afterwards[write],
    ...repeated[write],
  })),
)

export const lostResponses: readonly LostResponse[] = [
  ...undone,
  ...done,
  ...twice,

  // Certainly not applied: retried like a read.
  { ...insert, turns: ['refused', 'pass'], outcome: 'ok' },
  { ...insert, turns: ['busy', 'pass'], outcome: 'ok' },
  { ...insert, turns: ['throttled', 'pass'], outcome: 'ok' },
  {
    ...insert,
    turns: ['refused', 'refused', 'refused', 'refused'],
    outcome: 'ConnectionFailed',
    stored: 'none',
  },
  { ...insert, turns: ['busy', 'busy', 'busy', 'busy'], outcome: 'ServerBusy', stored: 'none' },
  { ...insert, row: true, turns: ['busy', 'pass'], outcome: 'EntityAlreadyExists', stored: 1 },

  // The first attempt is rejected: nothing is read back.
  { ...insert, row: true, turns: ['pass'], outcome: 'EntityAlreadyExists', stored: 1 },
  {
    write: 'replace',
    turns: [['changes it', 'pass']],
    outcome: 'UpdateConditionNotSatisfied',
    stored: 9,
  },
  { write: 'delete *', row: false, turns: ['pass'], outcome: 'ResourceNotFound', stored: 'none' },

  // Insert: a conflict after a lost response is read back.
  { ...insert, turns: ['lost before', 'pass'], outcome: 'ok' },
  { ...insert, turns: ['lost after', 'pass', 'pass'], outcome: 'ok', readEtag: true },
  { ...insert, turns: ['silent after', 'pass', 'pass'], outcome: 'ok', readEtag: true },
  { ...insert, turns: ['failing after', 'pass', 'pass'], outcome: 'ok', readEtag: true },
  { ...insert, turns: ['gateway after', 'pass', 'pass'], outcome: 'ok', readEtag: true },
  { ...insert, turns: ['lost after', 'busy', 'pass', 'pass'], outcome: 'ok', readEtag: true },
  { ...insert, turns: ['lost after', 'pass', 'busy', 'pass'], outcome: 'ok', readEtag: true },
  {
    ...insert,
    row: true,
    turns: ['lost before', 'pass', 'pass'],
    outcome: 'EntityAlreadyExists',
    stored: 1,
  },
  {
    ...insert,
    turns: ['lost before', ['inserts another', 'pass'], 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'unknown',
  },
  {
    ...insert,
    turns: ['lost after', 'pass', ['changes it', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'unknown',
  },
  // Another client stored the same entity meanwhile: rows and responses look the same.
  {
    ...insert,
    turns: ['lost before', ['inserts the same', 'pass'], 'pass'],
    outcome: 'ok',
    readEtag: true,
  },
  {
    ...insert,
    turns: ['lost after', 'pass', ['deletes it', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'not applied',
  },
  {
    ...insert,
    turns: ['lost after', 'pass', 'refused', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    resolved: 'applied',
  },
  {
    ...insert,
    turns: ['lost after', 'lost before', 'lost before', 'lost before'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    resolved: 'applied',
  },
  {
    ...insert,
    turns: ['lost before', 'lost before', 'lost before', 'lost before'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'not applied',
  },
  {
    ...insert,
    turns: ['lost after', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    resolved: 'applied',
  },
  {
    ...insert,
    turns: ['lost after', ['drops the table', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'no table',
  },

  // Upserts and writes with '*': a retry does no harm.
  { write: 'insertOrReplace', turns: ['lost before', 'pass'], outcome: 'ok', stored: 2 },
  { write: 'insertOrReplace', turns: ['lost after', 'pass'], outcome: 'ok', stored: 2 },
  { write: 'insertOrMerge', turns: ['silent after', 'pass'], outcome: 'ok', stored: 2 },
  {
    write: 'insertOrReplace',
    row: false,
    turns: ['failing after', 'pass'],
    outcome: 'ok',
    stored: 2,
  },
  {
    write: 'insertOrReplace',
    turns: ['lost after', ['changes it', 'pass']],
    outcome: 'ok',
    stored: 2,
  },
  { write: 'replace *', turns: ['lost after', 'pass'], outcome: 'ok', stored: 2 },
  { write: 'merge *', turns: ['gateway after', 'pass'], outcome: 'ok', stored: 2 },
  {
    write: 'insertOrMerge',
    turns: ['lost after', 'lost before', 'refused', 'busy'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 2,
    resolved: 'applied',
  },
  {
    write: 'insertOrReplace',
    turns: ['lost before', 'lost before', 'refused', 'busy'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 1,
    resolved: 'not applied',
  },
  {
    write: 'merge *',
    turns: ['lost after', ['deletes it', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'not applied',
  },
  {
    write: 'replace *',
    turns: ['lost before', 'lost before', 'lost before', ['changes it', 'lost before']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'unknown',
  },

  // Delete with '*': a missing entity counts as deleted.
  { write: 'delete *', turns: ['lost before', 'pass'], outcome: 'ok', stored: 'none' },
  { write: 'delete *', turns: ['lost after', 'pass'], outcome: 'ok', stored: 'none' },
  {
    write: 'delete *',
    turns: ['lost before', ['deletes it', 'pass']],
    outcome: 'ok',
    stored: 'none',
  },
  {
    write: 'delete *',
    turns: ['lost after', ['drops the table', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'no table',
  },
  {
    write: 'delete *',
    turns: ['lost after', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'applied',
  },

  // With an ETag: never claimed, because another client's write looks the same.
  { write: 'replace', turns: ['lost before', 'pass'], outcome: 'ok', stored: 2 },
  { write: 'merge', turns: ['busy', 'pass'], outcome: 'ok', stored: 2 },
  { write: 'delete', turns: ['lost before', 'pass'], outcome: 'ok', stored: 'none' },
  {
    write: 'replace',
    turns: ['lost after', 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 2,
    resolved: 'unknown',
  },
  {
    write: 'merge',
    turns: ['silent after', 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 2,
    resolved: 'unknown',
  },
  {
    write: 'merge',
    turns: ['lost before', ['changes it', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'unknown',
  },
  {
    write: 'merge',
    turns: ['lost after', ['deletes it', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'unknown',
  },
  {
    write: 'delete',
    turns: ['lost after', 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'unknown',
  },
  {
    write: 'merge',
    turns: ['lost before', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 1,
    resolved: 'not applied',
  },
  {
    write: 'delete',
    turns: ['failing before', 'failing before', 'failing before', 'failing before'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 1,
    resolved: 'not applied',
  },

  // Tables.
  { write: 'create table', turns: ['lost after', 'pass'], outcome: 'ok', stored: 'none' },
  { write: 'create table', turns: ['lost before', 'pass'], outcome: 'ok', stored: 'none' },
  {
    write: 'create table',
    turns: ['lost after', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'applied',
  },
  {
    write: 'create table',
    turns: ['lost before', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'no table',
    resolved: 'not applied',
  },
  { write: 'delete table', turns: ['lost after', 'pass'], outcome: 'ok', stored: 'no table' },
  {
    write: 'delete table',
    turns: ['lost before', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 1,
    resolved: 'not applied',
  },
  {
    write: 'delete table',
    turns: ['lost after', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'no table',
    resolved: 'applied',
  },

  // Transactions: retried as a whole; inserts are read back one by one.
  { write: 'batch of inserts', turns: ['lost before', 'pass'], outcome: 'ok', stored: 2 },
  { write: 'batch of inserts', turns: ['busy', 'pass'], outcome: 'ok', stored: 2 },
  {
    write: 'batch of inserts',
    turns: ['lost after', 'pass', 'pass', 'pass'],
    outcome: 'ok',
    readEtag: true,
    stored: 2,
  },
  {
    write: 'batch of inserts',
    turns: ['cut after', 'pass', 'pass', 'pass'],
    outcome: 'ok',
    readEtag: true,
    stored: 2,
  },
  {
    write: 'batch of inserts',
    turns: ['page after', 'pass', 'pass', 'pass'],
    outcome: 'ok',
    readEtag: true,
    stored: 2,
  },
  {
    write: 'batch of inserts',
    row: true,
    turns: ['lost before', 'pass', 'pass'],
    outcome: 'EntityAlreadyExists',
    stored: 1,
  },
  {
    write: 'batch of inserts',
    turns: ['lost before', ['inserts another', 'pass'], 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'not applied',
  },
  {
    write: 'batch of inserts',
    turns: ['lost after', 'pass', ['deletes it', 'pass']],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'unknown',
  },
  {
    write: 'batch of inserts',
    turns: ['lost after', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 2,
    resolved: 'applied',
  },
  {
    write: 'batch of inserts',
    turns: ['cut after', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 2,
    resolved: 'applied',
  },
  {
    write: 'batch of inserts',
    turns: ['lost before', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 'none',
    resolved: 'not applied',
  },
  { write: 'batch with a merge', turns: ['lost before', 'pass'], outcome: 'ok', stored: 2 },
  {
    write: 'batch with a merge',
    turns: ['lost after', 'pass', 'pass', 'pass'],
    outcome: 'ok',
    stored: 2,
  },
  {
    write: 'batch with a merge',
    turns: ['cut after', 'pass', 'pass', 'pass'],
    outcome: 'ok',
    stored: 2,
  },
  {
    write: 'batch with a merge',
    turns: ['lost before', ['changes it', 'pass'], 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'not applied',
  },
  // The row of the merge has been overwritten since: another program may have inserted the other row.
  {
    write: 'batch with a merge',
    turns: ['lost after', ['changes it', 'pass'], 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'unknown',
  },
  {
    write: 'batch with a merge',
    turns: ['lost after', 'refused', 'refused', 'refused'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 2,
    resolved: 'applied',
  },
  // One inserted row has been overwritten since: another program may have inserted both.
  {
    write: 'batch of inserts',
    turns: ['lost after', ['changes it', 'pass'], 'pass'],
    outcome: 'AmbiguousWrite',
    mayHaveApplied: true,
    stored: 9,
    resolved: 'unknown',
  },
  {
    write: 'batch with a merge',
    turns: [['changes it', 'pass']],
    outcome: 'UpdateConditionNotSatisfied',
    stored: 9,
  },

  // Reads change nothing, whichever response is lost.
  { write: 'get', turns: ['lost after', 'pass'], outcome: 'ok', stored: 1 },
  { write: 'get', turns: ['page after', 'pass'], outcome: 'ok', stored: 1 },
  { write: 'get', turns: ['cut after', 'busy', 'gateway after', 'pass'], outcome: 'ok', stored: 1 },
  {
    write: 'get',
    turns: ['lost after', 'lost after', 'lost after', 'lost after'],
    outcome: 'TransportFailed',
    stored: 1,
  },
  {
    write: 'get',
    turns: ['page after', 'page after', 'page after', 'page after'],
    outcome: 'UnexpectedResponse',
    stored: 1,
  },
]
