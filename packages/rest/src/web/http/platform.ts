import { fetchTransport } from '../../http/fetch-transport.ts'
import type { Transport } from '../../http/transport.ts'

/** What carries requests when nothing is said: on Node undici, in browsers and workers `fetch`. */
export const defaultTransport: () => Transport = fetchTransport

/** A new id for a call: a random UUID. */
export const randomId = (): string => globalThis.crypto.randomUUID()
