import { readFile } from 'node:fs/promises'
import type { ListenTls } from '@rowkey/local'
import { invalidCommand } from '../errors/codes.ts'
import { printRequest } from './print-request.ts'
import type { ServeOptions } from './serve-options.ts'
import type { Terminal } from './terminal.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/i

/**
 * Serves until the terminal asks to stop, then completes the pending requests and closes.
 *
 * @throws {@link ListenError} when the port is taken, an InputError (`InvalidAccount`, `InvalidCommand`) for an invalid
 * account or file
 * @throws an error of the store when the folder cannot be used
 */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const { basicTokenCheck, localTableService } = await import('@rowkey/local')
  const { host, port, hosts, accounts, data, flavour, log, oauth } = options
  const seed = options.seed === undefined ? undefined : await textOf('seed', options.seed)
  const tls = options.tls && (await readTls(options.tls))
  const local = localTableService({
    ...{ accounts, data, flavour },
    bearer: oauth && basicTokenCheck(),
    onRequest: log && ((record) => terminal.print(printRequest(record, log))),
  })
  try {
    await local.open()
    if (seed !== undefined) await local.seed(seed)
    const listener = await local.listen({ host, port, hosts, tls })
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
      `Rowkey serves tables on port ${listener.port}, ${place}.\n${listener.connectionString}\n`,
    )
    await stopped
  } finally {
    await local.close()
  }
}

async function readTls({ cert, key }: ListenTls): Promise<ListenTls> {
  return { cert: await textOf('cert', cert), key: await textOf('key', key) }
}

async function textOf(option: string, path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    if (error instanceof TypeError) {
      throw invalidCommand(`--${option} is not UTF-8 text: ${path}. Save it as UTF-8.`)
    }
    const { code }: { code?: string } = Object(error)
    throw invalidCommand(`--${option} cannot be read: ${path} (${code ?? 'unknown error'}).`)
  }
}
