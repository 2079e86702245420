import type { KeyObject } from 'node:crypto'

/** A connection string as every client of the protocol reads it, for an account in path style. */
export function printConnectionString(origin: string, account: string, key: KeyObject): string {
  const secret = key.export().toString('base64')
  return [
    'DefaultEndpointsProtocol=http',
    `AccountName=${account}`,
    `AccountKey=${secret}`,
    `TableEndpoint=${origin}/${account}`,
  ].join(';')
}

/** The origin that reaches a listener: an address that means every interface is not one to call. */
export function printOrigin(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
