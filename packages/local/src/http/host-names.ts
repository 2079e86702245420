import { isIP } from 'node:net'
import { Rejection } from '../rejection/rejection.ts'

/** Host names for a listener, besides those of this machine. */
export type HostNames = readonly string[]

const PORT = /:\d*$/
/** The brackets around an IPv6 address, which may end like an IPv4 one. */
const BRACKETS = /^\[|\]$/g

/**
 * Domains in which a stranger cannot have a name: reserved ones, and those of Azure's tables, which
 * a hosts file may send here.
 */
const SAFE_DOMAINS: HostNames = [
  'localhost',
  'internal',
  'test',
  'table.core.windows.net',
  'table.core.chinacloudapi.cn',
  'table.core.usgovcloudapi.net',
  'table.storage.azure.net',
  'table.cosmos.azure.com',
  'table.cosmosdb.azure.com',
]

/**
 * Rejects a request to a host name that may belong to a stranger. A page on the web can point its
 * own name to this machine; its scripts would then have the origin of the service.
 *
 * @param host - the Host header
 * @param names - allowed with all names below them, besides addresses and the names of this machine
 * @throws Rejection InvalidHeaderValue
 * @see https://developer.mozilla.org/docs/Web/Security/Attacks/DNS_rebinding
 */
export function checkHostName(host: string, names: HostNames): void {
  const name = host.replace(PORT, '').replace(/\.$/, '').toLowerCase()
  if (!name.includes('.') || isIP(name.replace(BRACKETS, '')) !== 0) return
  const isBelow = (domain: string) => name === domain || name.endsWith(`.${domain}`)
  if (SAFE_DOMAINS.some(isBelow) || names.some(isBelow)) return
  throw new Rejection('InvalidHeaderValue', {
    text: `The Host '${name}' is not a name of this listener. To allow it, add it to 'hosts' of listen(), or pass it to --allow-host of rowkey serve.`,
  })
}

/** Tells whether only this machine can reach a listener on an IP address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}
