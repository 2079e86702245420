import type { ServeOptions } from './serve-options.ts'
import type { Terminal } from './terminal.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/i

/**
 * Serves until the terminal asks to stop, then completes the pending requests and closes.
 *
 * @throws {@link ListenError} when the port is taken, an InputError (`InvalidAccount`) for an invalid account, and
 * an error of the store when the folder cannot be used
 */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const { startLocalService } = await import('@rowkey/local')
  const { host, accounts, data } = options
  const service = await startLocalService(options)
  // Listens first: a program that reads the connection string may ask to stop at once.
  const stopped = terminal.stopped()
  if (host !== undefined && !LOOPBACK.test(host) && accounts === undefined) {
    terminal.warn(
      `rowkey: other machines can reach ${host}, and the key of devstoreaccount1 is public. ` +
        'Set --account name=key.\n',
    )
  }
  const place = data === undefined ? 'in memory, until it stops' : `in ${data}`
  terminal.print(
    `Rowkey serves tables on port ${service.port}, ${place}.\n${service.connectionString}\n`,
  )
  await stopped
  await service.close()
}
