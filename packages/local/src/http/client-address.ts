import type { Socket } from 'node:net'

/** The address of a client in the same process, and of one on the same machine. */
export const LOOPBACK = '127.0.0.1'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** A client's IP address; an IPv4 one is written so also when it came to an IPv6 socket. */
export function clientAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress === '::1' ? LOOPBACK : remoteAddress.replace(MAPPED, '$1')
}
