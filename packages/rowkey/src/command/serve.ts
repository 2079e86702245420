import type { ServeOptions } from './serve-options.ts'
import type { Terminal } from './terminal.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/i

/**
 * Serves until the process is asked to stop, then answers what has been asked, and closes.
 *
 * @throws {@link ListenError} when the port is taken, an InputError (`InvalidAccount`) for a wrong account, and
 * an error of the store when the folder cannot be used
 */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const { startLocalService } = await import('@rowkey/local')
  const { host, accounts, data } = options
  const service = await startLocalService(options)
  // Prepared first: whoever reads the connection string may ask to stop at once.
  const stopped = terminal.stopped()
  if (host !== undefined && !LOOPBACK.test(host) && accounts === undefined) {
    terminal.warn(
      `rowkey: ${host} can be reached from other machines, and everybody knows the key of ` +
        'devstoreaccount1. Give --account name=key.\n',
    )
  }
  const place = data === undefined ? 'in memory, until it stops' : `in ${data}`
  terminal.print(
    `Rowkey serves tables on port ${service.port}, ${place}.\n${service.connectionString}\n`,
  )
  await stopped
  await service.close()
}
