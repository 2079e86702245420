import { randomUUID } from 'node:crypto'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { MemoryStore } from '../store/memory-store.ts'
import { readAccountKeys } from './account.ts'
import type { LocalTableServiceOptions } from './local-options.ts'
import type { Service } from './service.ts'
import { ServiceClock } from './service-clock.ts'

const DEVELOPMENT = [{ name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }]

/** A service without any tables yet. */
export function createService(options: LocalTableServiceOptions): Service {
  return {
    accounts: readAccountKeys(options.accounts ?? DEVELOPMENT),
    store: new MemoryStore(),
    clock: new ServiceClock(options.now ?? Date.now),
    newId: options.newId ?? randomUUID,
    report: options.onInternalError ?? warn,
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
