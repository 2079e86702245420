import { isIP } from 'node:net'
import { localInputError } from '../errors/codes.ts'
import { Rejection } from '../rejection/rejection.ts'

/** The names by which a listener may be called besides those of this machine. */
export type HostNames = readonly string[]

const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i
const PORT = /:\d*$/
/** Around an IPv6 address, which may end like an IPv4 one. */
const BRACKETS = /^\[|\]$/g

/**
 * Domains in which no stranger has a name: reserved ones, and those of Azure's own tables, which a
 * hosts file may send here.
 */
const SAFE_DOMAINS: HostNames = [
  'localhost',
  'internal',
  'test',
  'table.core.windows.net',
  'table.core.chinacloudapi.cn',
  'table.core.usgovcloudapi.net',
]

/** The names, checked; refuses what can be no host name. */
export function readHostNames(hosts: HostNames | undefined): HostNames | undefined {
  if (hosts === undefined) return undefined
  const isList =
    Array.isArray(hosts) && hosts.every((name) => typeof name === 'string' && NAME.test(name))
  if (isList) return hosts.map((name) => name.toLowerCase())
  throw localInputError({
    code: 'InvalidOptionValue',
    message: `The hosts of listen must be host names without scheme and port, such as ['tables.example.com'].`,
  })
}

/**
 * Refuses a request that was sent to a name of somebody else. A page on the web can let its own
 * name point to this machine, and its scripts would then be of the same origin as the service:
 * https://developer.mozilla.org/docs/Web/Security/Attacks/DNS_rebinding
 *
 * @param host - the Host header
 * @param names - allowed besides addresses and the names of this machine, each with what is below it
 */
export function checkHostName(host: string, names: HostNames): void {
  const name = host.replace(PORT, '').replace(/\.$/, '').toLowerCase()
  if (!name.includes('.') || isIP(name.replace(BRACKETS, '')) !== 0) return
  const isBelow = (domain: string) => name === domain || name.endsWith(`.${domain}`)
  if (SAFE_DOMAINS.some(isBelow) || names.some(isBelow)) return
  throw new Rejection('InvalidHeaderValue', {
    text: `The Host '${name}' is no name of this listener. If it is meant, give it to 'hosts' of listen(), or to --allow-host of rowkey serve.`,
  })
}

/** Whether only this machine can reach a listener on this IP address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}
