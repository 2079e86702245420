import { invalidOption } from '@rowkey/odata'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY, type Flavour } from '@rowkey/rest'
import { readAccountKeys } from '../account/account.ts'
import { DurableStore } from '../durable/durable-store.ts'
import { StoreError } from '../errors/store-error.ts'
import { FaultRules } from '../faults/faults.ts'
import { randomId } from '../platform/crypto.ts'
import { warn } from '../platform/warn.ts'
import {
  Replication,
  type ReplicationOptions,
  type ReplicationParts,
  replicationOptions,
} from '../replication/replication.ts'
import { RequestLog } from '../request-log/request-log.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { TableStore } from '../store/table-store.ts'
import {
  deletionOptions,
  type LocalTableServiceOptions,
  localOptions,
  type TableDeletionOptions,
} from './local-options.ts'
import type { Service } from './service.ts'
import { machineTime, ServiceClock, TableDeletions } from './service.ts'

const DEVELOPMENT = [{ name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }]

/** How many requests the log keeps: enough for a test, and little memory. */
const LOG_SIZE = 1000

/**
 * Makes a service on its tables in memory, or on those of its folder.
 *
 * @throws InputError for an invalid option
 */
export function createService(options: LocalTableServiceOptions): Service {
  localOptions.check(options, 'localTableService')
  const now = options.now ?? Date.now
  const accounts = readAccountKeys(options.accounts ?? DEVELOPMENT)
  const report = options.onInternalError ?? warnings()
  const flavour = readFlavour(options)
  const clock = new ServiceClock(options.now ?? machineTime, flavour)
  const store = createStore(options.data, { clock, report, flavour })
  const ground = { store, accounts: [...accounts.keys()], now }
  return {
    accounts,
    flavour,
    store,
    replication: readReplication(options.replication, ground),
    clock,
    deletions: new TableDeletions(store, now, readKeepNameFor(options.tableDeletion), flavour),
    faults: new FaultRules(accounts, options.random ?? Math.random),
    requests: new RequestLog({
      accounts,
      now,
      size: options.requestLogSize ?? LOG_SIZE,
      onRequest: options.onRequest,
      report,
    }),
    rowsToRead: Number.POSITIVE_INFINITY,
    checkBearer: options.bearer,
    newId: options.newId ?? randomId,
    report,
  }
}

function readFlavour({ flavour = 'storage', replication }: LocalTableServiceOptions): Flavour {
  if (flavour === 'storage' || replication === undefined) return flavour
  throw invalidOption(
    "flavour of localTableService must be 'storage' when replication is set; got 'cosmos'.",
    'flavour',
  )
}

function readKeepNameFor(options: TableDeletionOptions | undefined): number {
  if (options === undefined) return 0
  deletionOptions.check(options, 'tableDeletion')
  return options.keepNameFor
}

function readReplication(
  options: ReplicationOptions | undefined,
  ground: Omit<ReplicationParts, 'lag'>,
): Replication | undefined {
  if (options === undefined) return undefined
  replicationOptions.check(options, 'replication')
  return new Replication({ ...ground, lag: options.lag })
}

/**
 * Makes a reporter that emits process warnings. The same error of the store in a row is emitted
 * once.
 */
function warnings(): (error: unknown) => void {
  let last: string | undefined
  return (error) => {
    const repeated = error instanceof StoreError ? error.message : undefined
    if (repeated !== undefined && repeated === last) return
    last = repeated ?? last
    warn(error)
  }
}

/** The parts of a service that its store uses. */
interface StoreParts {
  /** Its stamps continue after the latest that the store knows. */
  readonly clock: ServiceClock
  /** The service that the tables imitate. */
  readonly flavour: Flavour
  /** Receives errors that no caller waits for. */
  report(error: unknown): void
}

/**
 * Makes the store of a service.
 *
 * @param data - the folder of a durable store; in memory without one
 */
export function createStore(
  data: string | undefined,
  { clock, report, flavour }: StoreParts,
): TableStore {
  if (data === undefined) return new MemoryStore(flavour)
  const onOpen = clock.startAfter.bind(clock)
  return new DurableStore({ folder: data, flavour, onOpen, report })
}
