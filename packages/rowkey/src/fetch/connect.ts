/** `connect` over `fetch`: `import { connect } from 'rowkey/fetch'`. */
import type { Account } from '@rowkey/mapper'
import { fetchTableService } from '@rowkey/rest'
import { type ConnectOptions, type ConnectSettings, openAccount } from '../connect.ts'

/**
 * Opens an account as `connect` of `rowkey` does, and sends with `fetch`, on Node too. A bundle then contains
 * no undici, which halves it. One request costs several times more CPU than with undici.
 *
 * Everything else comes from `rowkey`. The targets `memory:` and `file:` also need
 * `import 'rowkey/embedded'`.
 *
 * @param target - a connection string, a URL with a shared access signature, or options
 * @param settings - transport, retry, timeout and the like
 * @throws `InputError` before anything is sent, as `connect` of `rowkey` does
 *
 * @example
 * ```ts
 * import { connect } from 'rowkey/fetch'
 *
 * const account = connect(process.env.TABLES!)
 * ```
 */
export function connect(target: string | ConnectOptions, settings: ConnectSettings = {}): Account {
  return openAccount(fetchTableService, target, settings)
}
