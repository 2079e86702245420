import { randomUUID } from 'node:crypto'
import type { Transport } from './transport.ts'
import { undiciTransport } from './undici-transport.ts'

/** What carries requests when nothing is said: on Node undici, in browsers and workers `fetch`. */
export const defaultTransport: () => Transport = undiciTransport

/** A new id for a call: a random UUID. */
export const randomId: () => string = randomUUID
