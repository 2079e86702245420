import { lookup } from 'node:dns/promises'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Environment } from '../target/environment.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** How many milliseconds a check waits. */
export const PATIENCE = 5_000
const DAY = 86_400_000

/** Checks name resolution, the connection and TLS; a step that fails is the last. */
export async function* networkFindings(
  origin: string,
  environment: Environment,
  now: number,
): AsyncGenerator<Finding, void, undefined> {
  const url = new URL(origin)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  yield proxyFinding(environment)
  for (const step of [() => nameFinding(host), () => reachFinding(host, port)]) {
    const finding = await step()
    yield finding
    if (finding.status === 'failed') return
  }
  if (url.protocol === 'https:') yield await tlsFinding(host, port, now)
  else {
    const remedy = 'Use https, except for an emulator on this machine.'
    yield warning('tls', 'The target is plain http.', remedy)
  }
}

function proxyFinding(environment: Environment): Finding {
  const kinds = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY']
  const names = kinds.flatMap((name) => [name, name.toLowerCase()])
  const found = names.filter((name) => environment[name])
  if (found.length === 0) return ok('proxy', 'No proxy is configured.')
  return warning(
    'proxy',
    `These variables configure a proxy: ${found.join(', ')}.`,
    'Where the next checks fail, try the command without them, or add the host to NO_PROXY.',
  )
}

async function nameFinding(host: string): Promise<Finding> {
  try {
    const found = await lookup(host, { all: true })
    return ok('name', `${host} is ${found.map(({ address }) => address).join(', ')}.`)
  } catch (error) {
    return failed(
      'name',
      `${host} has no address: ${codeOf(error)}.`,
      'Check the name of the account, and that this machine can reach a DNS server. A private endpoint needs its private DNS zone.',
    )
  }
}

async function reachFinding(host: string, port: number): Promise<Finding> {
  const socket = connectTcp({ host, port })
  try {
    await opened(socket, 'connect')
    return ok('connection', `${host} accepts connections on port ${port}.`)
  } catch (error) {
    return failed(
      'connection',
      `${host} accepts no connection on port ${port}: ${codeOf(error)}.`,
      'Check firewalls and the network rules of the account. For an emulator, check that it runs: rowkey serve.',
    )
  } finally {
    socket.destroy()
  }
}

async function tlsFinding(host: string, port: number, now: number): Promise<Finding> {
  const socket = connectTls({ host, port, servername: host })
  try {
    await opened(socket, 'secureConnect')
    const { valid_to, issuer } = socket.getPeerCertificate()
    const days = Math.floor((Date.parse(valid_to) - now) / DAY)
    const detail = `${socket.getProtocol()}, certificate of ${issuer?.O ?? issuer?.CN ?? 'an unknown issuer'}, valid for ${days} days.`
    return ok('tls', detail)
  } catch (error) {
    return failed(
      'tls',
      `TLS failed: ${codeOf(error)}.`,
      'A proxy that opens TLS needs its certificate in NODE_EXTRA_CA_CERTS. Check the clock of this machine, too.',
    )
  } finally {
    socket.destroy()
  }
}

/** Waits until a socket is open. */
function opened(socket: ReturnType<typeof connectTcp>, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve())
    socket.once('error', reject)
    socket.setTimeout(PATIENCE, () => reject(new DOMException('no response within 5 seconds')))
  })
}

/** Names an error of the network by its code. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}
