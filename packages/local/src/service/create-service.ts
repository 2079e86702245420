import { checkOptions, DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { readAccountKeys } from '../account/account.ts'
import { DurableStore } from '../durable/durable-store.ts'
import { localInputError } from '../errors/codes.ts'
import { StoreError } from '../errors/store-error.ts'
import { FaultRules } from '../faults/fault-rules.ts'
import { randomId } from '../platform/crypto.ts'
import { warn } from '../platform/warn.ts'
import { Replication, type ReplicationParts } from '../replication/replication.ts'
import type { ReplicationOptions } from '../replication/replication-queue.ts'
import { RequestLog } from '../request-log/request-log.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { TableStore } from '../store/table-store.ts'
import type { LocalTableServiceOptions, TableDeletionOptions } from './local-options.ts'
import type { Service } from './service.ts'
import { ServiceClock } from './service-clock.ts'
import { TableDeletions } from './table-deletions.ts'

const DEVELOPMENT = [{ name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }]

/** Requests that are kept: enough for a test, and little memory. */
const LOG_SIZE = 1000

const FUNCTIONS = ['bearer', 'newId', 'now', 'onInternalError', 'pause', 'random'] as const

/** A service, with the tables of its folder or without any yet. */
export function createService(options: LocalTableServiceOptions): Service {
  for (const name of FUNCTIONS) checkFunction(options[name], name)
  const now = options.now ?? Date.now
  const accounts = readAccountKeys(options.accounts ?? DEVELOPMENT)
  const report = options.onInternalError ?? warnings()
  const clock = new ServiceClock(now)
  const store = createStore(options.data, { clock, report })
  const ground = { store, accounts: [...accounts.keys()], now }
  return {
    accounts,
    store,
    replication: readReplication(options.replication, ground),
    clock,
    deletions: new TableDeletions(store, now, readKeepNameFor(options.tableDeletion)),
    faults: new FaultRules(accounts, options.random ?? Math.random),
    requests: new RequestLog(accounts, now, readLogSize(options.requestLogSize)),
    rowsToRead: Number.POSITIVE_INFINITY,
    checkBearer: options.bearer,
    newId: options.newId ?? randomId,
    report,
  }
}

function checkFunction(value: unknown, name: string): void {
  if (value === undefined || typeof value === 'function') return
  throw localInputError({
    code: 'InvalidOptionValue',
    message: `${name} of localTableService must be a function.`,
  })
}

function readKeepNameFor(options: TableDeletionOptions | undefined): number {
  if (options === undefined) return 0
  checkOptions(options, ['keepNameFor'], 'tableDeletion')
  const { keepNameFor } = options
  if (Number.isFinite(keepNameFor) && keepNameFor >= 0) return keepNameFor
  throw localInputError({
    code: 'InvalidOptionValue',
    message: 'The keepNameFor of a tableDeletion must be milliseconds, 0 or more.',
  })
}

function readReplication(
  options: ReplicationOptions | undefined,
  ground: Omit<ReplicationParts, 'lag'>,
): Replication | undefined {
  if (options === undefined) return undefined
  checkOptions(options, ['lag'], 'replication')
  const { lag } = options
  const isLag = typeof lag === 'function' || (Number.isFinite(lag) && lag >= 0)
  if (isLag) return new Replication({ ...ground, lag })
  throw localInputError({
    code: 'InvalidOptionValue',
    message:
      'The lag of replication must be milliseconds, 0 or more, or a function that gives them.',
  })
}

function readLogSize(size: number = LOG_SIZE): number {
  if (Number.isSafeInteger(size) && size >= 0) return size
  throw localInputError({
    code: 'InvalidOptionValue',
    message: 'requestLogSize must be a whole number, 0 or more.',
  })
}

/** Makes a reporter that emits process warnings, and the same error of the store once in a row. */
function warnings(): (error: unknown) => void {
  let last: string | undefined
  return (error) => {
    const repeated = error instanceof StoreError ? error.message : undefined
    if (repeated !== undefined && repeated === last) return
    last = repeated ?? last
    warn(error)
  }
}

/** What a store shares with its service. */
export interface StoreParts {
  /** Goes on after the latest stamp that the store knows. */
  readonly clock: ServiceClock
  /** Told what went wrong while nobody waited. */
  report(error: unknown): void
}

/**
 * The store of a service.
 *
 * @param data - the folder of a durable one; without it, tables are in memory
 */
export function createStore(data: string | undefined, { clock, report }: StoreParts): TableStore {
  if (data === undefined) return new MemoryStore()
  if (typeof data !== 'string' || data === '' || data.includes('\0')) {
    throw localInputError({
      code: 'InvalidOptionValue',
      message: 'data must be the path of a folder.',
    })
  }
  const onOpen = clock.startAfter.bind(clock)
  return new DurableStore({ folder: data, onOpen, report })
}
