import type { Account } from '@rowkey/mapper'
import type { AnyTable, Model } from './axes/models.ts'
import { type ACCOUNTS, BEGINNING, PARTITION } from './raw-rows.ts'
import { placeOf, type Stored, type StoredRow } from './stored.ts'
import type { Wire } from './wire.ts'

/** The row that writes change. */
export const TARGET = `${BEGINNING}漢🙂`
/** A row that exists, and that only writes of the whole partition change. */
export const BYSTANDER = `${BEGINNING}b`
/** A row that does not exist at first. */
export const NEWCOMER = `${BEGINNING}n`
/** Rows that do not exist at first, each in a partition of its own, so that each needs a transaction. */
export const ELSEWHERE: readonly string[] = [1, 2, 3].map((n) => `${BEGINNING}${n}`)
/** The key of the target. */
export const TARGET_KEY: readonly [string, string] = [PARTITION, TARGET]
/** What writes call a person. */
export const NAME = 'Zoë 漢🙂'

/** A program that writes: its account, its tables and what it has read. */
export interface Program {
  readonly account: Account
  readonly wire: Wire
  readonly model: Model
  readonly table: AnyTable
  /** The name of the table of people. */
  readonly name: string
  /** Where rows are copied to. */
  readonly copies: AnyTable
  /** The account of the copies. */
  readonly copiesIn: (typeof ACCOUNTS)[number]
  /** The target as the program has read it; absent for a write that needs none. */
  readonly target: object | undefined
  /** The rows when the program read them. */
  readonly read: Stored
  /** The option `etag`. */
  readonly etag: string | undefined
  /** Whether the input of a write must be the same in each run. */
  readonly isRepeatable: boolean
  /** Gives the operations of a bulk write, one by one. */
  readonly input: (operations: readonly object[]) => Iterable<object> | AsyncIterable<object>
}

/** Makes a new person. */
export function personOf({ model }: Program, rowKey: string): object {
  return model.make(rowKey, NAME, ELSEWHERE.includes(rowKey) ? `city ${rowKey}` : PARTITION)
}

/** Returns the target as it was read, with another name. */
export function renamed({ model, target }: Program): object {
  if (target === undefined) throw new Error('The program has read no target.')
  const { rename = (person: object, name: string) => Object.assign(person, { name }) } = model
  rename(target, NAME)
  return target
}

/** Tells whether the stored row is the one that a write expects. */
export function isExpected(
  { etag, read }: Program,
  place: string,
): (row: StoredRow | undefined) => boolean {
  return (row) =>
    row !== undefined && (etag === '*' || row.etag === (etag ?? read.get(place)?.etag))
}

/** The place of a row in the table of people. */
export const at = (rowKey: string): string => placeOf(rowKey)
