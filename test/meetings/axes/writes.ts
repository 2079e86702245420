import { BulkError, type BulkOutcome, Operation, upgradeTable } from '@rowkey/mapper'
import { isRowkeyError } from '@rowkey/odata'
import type { Effect, Said } from '../oracle.ts'
import {
  at,
  BYSTANDER,
  ELSEWHERE,
  isExpected,
  NAME,
  NEWCOMER,
  type Program,
  personOf,
  renamed,
  TARGET,
  TARGET_KEY,
} from '../program.ts'
import { saidOf } from '../said.ts'
import { type Facts, factsOf, placeOf, type StoredRow } from '../stored.ts'
import { peopleIn } from './models.ts'

/** A way to write. */
export interface Write {
  /** What it does to rows, in the order in which it says so. */
  effects(program: Program): readonly Effect[]
  /**
   * Writes.
   *
   * @returns what it said of each effect, or of all of them
   * @throws what a call throws, when it says the same of all effects
   */
  send(program: Program, options: object): Promise<readonly Said[] | Said | unknown>
  /** Whether it reads rows itself, so that others can change them in between. */
  readonly readsInside?: boolean
  /** Whether it begins with a target that was read. */
  readonly needsTarget?: boolean
  /** Whether it takes the option `etag`. */
  readonly hasCondition?: boolean
  /** Whether it takes operations from an input. */
  readonly hasInput?: boolean
  /** Whether its changes are one transaction. */
  readonly isAtomic?: boolean
  /** What a rival does to the target meanwhile; by default it changes its note. */
  readonly rival?: 'deletes the target' | 'inserts the newcomer'
}

const fresh: Facts = { name: NAME }
const isMissing = (row: StoredRow | undefined): boolean => row === undefined
const exists = (row: StoredRow | undefined): boolean => row !== undefined
const always = (): boolean => true
const withName = (row: StoredRow | undefined): Facts => ({ ...row?.facts, name: NAME })
const orGone =
  (holds: Effect['holds']): Effect['holds'] =>
  (row) =>
    row === undefined || holds(row)
const gone = (): undefined => undefined

const insertedAt = (rowKey: string): Effect => ({
  place: at(rowKey),
  holds: isMissing,
  makes: () => fresh,
})
const inserted = insertedAt(NEWCOMER)
const mergedTarget = (program: Program): Effect => ({
  place: at(TARGET),
  holds: isExpected(program, at(TARGET)),
  makes: withName,
})
const importedTarget = (program: Program): Effect => ({
  place: at(TARGET),
  holds: program.etag === undefined ? always : isExpected(program, at(TARGET)),
  makes: () => fresh,
})
const bulkTarget = (program: Program): Effect =>
  program.isRepeatable ? importedTarget(program) : mergedTarget(program)
/** A write that has nothing to do when its row is gone. */
const tolerated = (program: Program, effect: Effect): Effect => {
  const isAny = program.etag === '*'
  // A row that was deleted softly is there for the service, with another ETag: `*` replaces it.
  const isHidden = program.model.isHidden !== undefined
  const revives = isHidden && isAny && program.isRepeatable
  return {
    ...effect,
    holds: isHidden && !isAny ? effect.holds : orGone(effect.holds),
    makes: (row) => (row || revives ? effect.makes(row) : undefined),
  }
}
const deletedTarget = (program: Program): Effect => ({
  place: at(TARGET),
  holds: isExpected(program, at(TARGET)),
  makes: gone,
})
const upserted: Effect = { place: at(TARGET), holds: always, makes: withName }
const overwritten: Effect = { place: at(TARGET), holds: always, makes: () => fresh }
const whole = { needsTarget: true, hasCondition: true } as const

export const writes = {
  insert: {
    rival: 'inserts the newcomer',
    effects: () => [inserted],
    send: (program, options) => program.table.insert(personOf(program, NEWCOMER), options),
  },
  merge: {
    ...whole,
    effects: (program) => [mergedTarget(program)],
    send: (program, options) =>
      program.table.merge(renamed(program), { ...etagOf(program), ...options }),
  },
  replace: {
    ...whole,
    effects: (program) => [
      { ...mergedTarget(program), makes: () => withName(program.read.get(at(TARGET))) },
    ],
    send: (program, options) =>
      program.table.replace(renamed(program), { ...etagOf(program), ...options }),
  },
  insertOrMerge: {
    effects: () => [upserted],
    send: (program, options) => program.table.insertOrMerge(personOf(program, TARGET), options),
  },
  insertOrReplace: {
    effects: () => [overwritten],
    send: (program, options) => program.table.insertOrReplace(personOf(program, TARGET), options),
  },
  delete: {
    ...whole,
    effects: (program) => [deletedTarget(program)],
    send: ({ table, target, ...program }, options) =>
      table.delete(target ?? TARGET_KEY, { ...etagOf(program), ...options }),
  },
  deleteIfExists: {
    ...whole,
    rival: 'deletes the target',
    effects: (program) => [
      {
        ...deletedTarget(program),
        // A row that was deleted softly has another ETag, and is refused.
        holds:
          program.model.isHidden && program.etag !== '*'
            ? isExpected(program, at(TARGET))
            : orGone(isExpected(program, at(TARGET))),
      },
    ],
    send: ({ table, target, ...program }, options) =>
      table.deleteIfExists(target ?? TARGET_KEY, { ...etagOf(program), ...options }),
  },
  modify: {
    readsInside: true,
    effects: () => [{ place: at(TARGET), holds: exists, makes: withName }],
    send: (program, options) =>
      program.table.modify(
        TARGET_KEY,
        (target) => {
          renamed({ ...program, target })
        },
        options,
      ),
  },
  batch: {
    ...whole,
    isAtomic: true,
    effects: (program) => [mergedTarget(program), inserted],
    send: (program, options) =>
      program.table
        .batch()
        .merge(renamed(program), etagOf(program))
        .insert(personOf(program, NEWCOMER))
        .submit(options),
  },
  bulk: {
    ...whole,
    hasInput: true,
    effects: (program) => [bulkTarget(program), ...[NEWCOMER, ...ELSEWHERE].map(insertedAt)],
    send: async (program, options) =>
      outcomesOf(
        program.table
          .bulk(options)
          .execute(program.input(operationsOf(program)) as Iterable<never>),
        [TARGET, NEWCOMER, ...ELSEWHERE],
      ),
  },
  'tolerant bulk': {
    ...whole,
    hasInput: true,
    rival: 'deletes the target',
    effects: (program) => [
      isUpsert(program) ? importedTarget(program) : tolerated(program, bulkTarget(program)),
      ...[NEWCOMER, ...ELSEWHERE].map(insertedAt),
    ],
    send: async (program, options) =>
      outcomesOf(
        program.table
          .bulk({ onConflict: 'skip', onMissing: 'skip', ...options } as object)
          .execute(program.input(operationsOf(program)) as Iterable<never>),
        [TARGET, NEWCOMER, ...ELSEWHERE],
      ),
  },
  buffered: {
    ...whole,
    effects: (program) => [mergedTarget(program), inserted],
    async send(program, options) {
      const failures = new Map<string | undefined, BulkOutcome>()
      const writer = program.table.buffered({
        ...options,
        onFlush: (summary) => {
          for (const each of summary.failures) failures.set(each.key?.rowKey, each)
        },
      })
      await writer.merge(renamed(program), etagOf(program))
      await writer.insert(personOf(program, NEWCOMER))
      await writer.close().catch((error) => {
        if (!(error instanceof BulkError)) throw error
      })
      return [TARGET, NEWCOMER].map((rowKey) => saidOfOutcome(failures.get(rowKey)))
    },
  },
  execute: {
    ...whole,
    effects: (program) => [mergedTarget(program)],
    send: (program, options) =>
      program.table.execute(Operation.merge(renamed(program), etagOf(program)), options),
  },
  copyTo: {
    readsInside: true,
    effects: ({ read, copiesIn }) =>
      rowsOf(read).map((rowKey) => ({
        place: placeOf(rowKey, 'copy', copiesIn),
        holds: always,
        makes: () => read.get(at(rowKey))?.facts,
      })),
    send: async ({ table, copies, read }, options) =>
      outcomesOf(table.copyTo(copies, options), rowsOf(read)),
  },
  deleteAll: {
    readsInside: true,
    hasCondition: true,
    effects: (program) =>
      peopleOf(program.read).map((rowKey) => ({
        ...deletedTarget(program),
        place: at(rowKey),
        holds: orGone(isExpected(program, at(rowKey))),
      })),
    send: async (program, options) =>
      outcomesOf(
        peopleIn(program.model, program.table).deleteAll({
          ...etagOf(program),
          ...options,
        } as object),
        peopleOf(program.read),
        'done',
      ),
  },
  upgradeTable: {
    readsInside: true,
    effects: ({ model }) =>
      [TARGET, BYSTANDER].map((rowKey) => ({
        place: at(rowKey),
        holds: always,
        makes: (row) => row && factsOf(model, row.raw),
      })),
    send: (program, options) => upgradeTable(program.table, options),
  },
} satisfies Readonly<Record<string, Write>> as Readonly<Record<WriteName, Write>>

/** The names of the ways to write. */
export type WriteName =
  | 'insert'
  | 'merge'
  | 'replace'
  | 'insertOrMerge'
  | 'insertOrReplace'
  | 'delete'
  | 'deleteIfExists'
  | 'modify'
  | 'batch'
  | 'bulk'
  | 'tolerant bulk'
  | 'buffered'
  | 'execute'
  | 'copyTo'
  | 'deleteAll'
  | 'upgradeTable'

function etagOf({ etag }: Pick<Program, 'etag'>): { readonly etag?: string } {
  return etag === undefined ? {} : { etag }
}

/** The people of the table, by their RowKeys. */
function peopleOf(read: Program['read']): readonly string[] {
  return [TARGET, BYSTANDER].filter((rowKey) => read.has(at(rowKey)))
}

/** All rows of the table, by their RowKeys. */
function rowsOf(read: Program['read']): readonly string[] {
  const rowKeys = [...read.values()].map(({ raw }) => String(raw.RowKey))
  return [...new Set(rowKeys)].filter((rowKey) => read.has(at(rowKey)))
}

/** An import that is repeated has the same items again, so it makes them of what it imports. */
function operationsOf(program: Program): readonly object[] {
  return [
    program.isRepeatable ? importing(program) : Operation.merge(renamed(program), etagOf(program)),
    ...[NEWCOMER, ...ELSEWHERE].map((rowKey) => Operation.insert(personOf(program, rowKey))),
  ]
}

/** Tells whether a bulk write stores the target, whatever is there. */
function isUpsert({ isRepeatable, etag }: Program): boolean {
  return isRepeatable && etag === undefined
}

function importing(program: Program): object {
  const target = personOf(program, TARGET)
  return isUpsert(program)
    ? Operation.insertOrReplace(target)
    : Operation.replace(target, etagOf(program))
}

/** Reads what a run says of each row; a row is skipped when it is gone already, or met a conflict. */
async function outcomesOf(
  run: AsyncIterable<BulkOutcome>,
  rowKeys: readonly string[],
  skipped: 'done' | 'refused' = 'refused',
): Promise<readonly Said[]> {
  const said = new Map<string, Said>()
  let ending: unknown
  try {
    for await (const outcome of run) {
      const rowKey = outcome.key?.rowKey ?? rowKeys[outcome.index] ?? ''
      said.set(rowKey, saidOfOutcome(outcome, skipped))
    }
  } catch (error) {
    ending = error
  }
  if (said.size === 0 && ending !== undefined) throw ending
  return rowKeys.map((rowKey) => said.get(rowKey) ?? { how: 'not applied', error: ending })
}

function saidOfOutcome(
  outcome: BulkOutcome | undefined,
  skipped: 'done' | 'refused' = 'refused',
): Said {
  switch (outcome?.status) {
    case 'failed':
      return failed(outcome.error)
    case 'unknown':
      return { how: 'in doubt', error: outcome.error }
    case 'skipped':
      return isGone(outcome.error) ? { how: 'done' } : { how: skipped, error: outcome.error }
    default:
      return { how: 'done' }
  }
}

/** Tells whether an operation was skipped because it had nothing to do. */
function isGone(error: unknown): boolean {
  return Object(error).status === 404
}

/** An operation that failed was not applied, also when its error says nothing of it. */
function failed(error: unknown): Said {
  return isRowkeyError(error) ? saidOf(error) : { how: 'not applied', error }
}
