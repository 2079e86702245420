import { randomUUID } from 'node:crypto'
import { checkOptions, DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY, OptionValueError } from '@rowkey/rest'
import { MemoryStore } from '../store/memory-store.ts'
import { readAccountKeys } from './account.ts'
import type { LocalTableServiceOptions, TableDeletionOptions } from './local-options.ts'
import type { Service } from './service.ts'
import { ServiceClock } from './service-clock.ts'
import { TableDeletions } from './table-deletions.ts'

const DEVELOPMENT = [{ name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }]

/** A service without any tables yet. */
export function createService(options: LocalTableServiceOptions): Service {
  const now = options.now ?? Date.now
  return {
    accounts: readAccountKeys(options.accounts ?? DEVELOPMENT),
    store: new MemoryStore(),
    clock: new ServiceClock(now),
    deletions: new TableDeletions(now, readKeepNameFor(options.tableDeletion)),
    newId: options.newId ?? randomUUID,
    report: options.onInternalError ?? warn,
  }
}

function readKeepNameFor(options: TableDeletionOptions | undefined): number {
  if (options === undefined) return 0
  checkOptions(options, ['keepNameFor'], 'tableDeletion')
  const { keepNameFor } = options
  if (Number.isFinite(keepNameFor) && keepNameFor >= 0) return keepNameFor
  throw new OptionValueError({
    message: 'The keepNameFor of a tableDeletion must be milliseconds, 0 or more.',
  })
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
