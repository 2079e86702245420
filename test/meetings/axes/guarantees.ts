import type { JournalFile } from '@rowkey/mapper'

/** What a call promises beside its result. */
export interface Guarantee {
  /** The options of the call. */
  options(journal: JournalFile): object
  /** Whether the outcome is known, whatever is lost, while the service can be reached. */
  readonly isExact?: boolean
  /** Whether the call can be repeated without effect. */
  readonly repeats?: boolean
  /** Whether the call records itself in a file. */
  readonly hasJournal?: boolean
}

export const guarantees = {
  plain: { options: () => ({}) },
  exact: { options: () => ({ exactWrites: true }), isExact: true },
  'idempotency key': {
    options: () => ({ idempotencyKey: 'order-7' }),
    isExact: true,
    repeats: true,
  },
  journal: { options: (journal) => ({ journal }), repeats: true, hasJournal: true },
  'exact journal': {
    options: (journal) => ({ journal, exactWrites: true }),
    isExact: true,
    repeats: true,
    hasJournal: true,
  },
} satisfies Readonly<Record<string, Guarantee>> as Readonly<Record<GuaranteeName, Guarantee>>

/** The names of the guarantees. */
export type GuaranteeName = 'plain' | 'exact' | 'idempotency key' | 'journal' | 'exact journal'
