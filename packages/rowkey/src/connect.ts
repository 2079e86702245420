import { Account, type AccountOptions } from '@rowkey/mapper'
import { parseSasUrl, type TableServiceOptions, type Transport, tableService } from '@rowkey/rest'
import { embeddedTransport } from './embedded-transport.ts'
import { folderOf } from './folder-of.ts'
import { TargetError } from './target-error.ts'

/** How to reach an account: an endpoint with a credential, and how to behave on the way. */
export type ConnectOptions = TableServiceOptions & AccountOptions

/** What may stand beside a target given as text: everything but the account itself. */
export type ConnectSettings = Omit<ConnectOptions, 'connectionString' | 'endpoint' | 'credential'>

const SAS_URL = /^\s*https?:\/\/[^?]*\?(?:.*&)?sig=/i

/**
 * Opens an account. Nothing is sent until the first call, and nothing but this string changes when
 * a program moves from the embedded service to Azure.
 *
 * | target | what answers |
 * |---|---|
 * | `memory:` | an embedded service of this account's own, in memory, in this process |
 * | `file:./data` | an embedded service whose tables are in that folder, and still there next time; an absolute path or a `file:///` URL names one too |
 * | `UseDevelopmentStorage=true` | an emulator on 127.0.0.1:10002 |
 * | a connection string | Azure Storage, Cosmos DB for Table, or any endpoint that it names |
 * | `https://…?sv=…&sig=…` | the account of a URL with a shared access signature |
 * | options | `{ endpoint, credential, … }`, for everything that a string cannot say; `environmentAddress(process.env)` makes them of the usual variables |
 *
 * Each call with `memory:` starts an empty service; share the account, not the string. A folder is
 * opened by the first call on the account, which throws a StoreLockedError when another account or
 * process has it; close the account to let go of it.
 *
 * @param target - one of the above
 * @param settings - transport, retry, timeout and the like, beside a target given as text
 * @throws {@link TargetError} for a target of no known kind, {@link ConnectionStringError} for a
 * connection string and {@link CredentialError} for a signature that cannot work; all before
 * anything is sent
 *
 * @example
 * ```ts
 * const account = connect(process.env.TABLES ?? 'memory:')
 * const customers = account.table(Customer)
 * await customers.createIfNotExists()
 * ```
 */
export function connect(target: string | ConnectOptions, settings: ConnectSettings = {}): Account {
  if (typeof target === 'string') {
    const { scans, requireEncryption, ...service } = settings
    return new Account(tableService(optionsOf(target, service)), { scans, requireEncryption })
  }
  if (typeof target !== 'object' || target === null)
    throw new TargetError({ target: typeof target })
  const { scans, requireEncryption, ...service } = target
  return new Account(tableService(service), { scans, requireEncryption })
}

function optionsOf(target: string, settings: ConnectSettings): TableServiceOptions {
  const { now = Date.now } = settings
  if (target === 'memory:') return embeddedOptions(embeddedTransport({ now }), settings)
  if (/^\s*file:/i.test(target)) {
    return embeddedOptions(embeddedTransport({ now, data: folderOf(target) }), settings)
  }
  if (SAS_URL.test(target)) return { ...settings, ...parseSasUrl(target.trim()) }
  const scheme = /^\s*(\w+):/.exec(target)?.[1]
  if (scheme !== undefined) throw new TargetError({ target: `${scheme}:` })
  return { ...settings, connectionString: target }
}

function embeddedOptions(transport: Transport, settings: ConnectSettings): TableServiceOptions {
  return { transport, ...settings, connectionString: 'UseDevelopmentStorage=true' }
}
