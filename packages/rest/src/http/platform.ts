import { randomUUID } from 'node:crypto'
import type { Transport } from './transport.ts'
import { undiciTransport } from './undici-transport.ts'

/** Makes the default Transport: undici on Node, `fetch` in browsers and workers. */
export const defaultTransport: () => Transport = undiciTransport

/** Makes the id of a call: a random UUID. */
export const randomId: () => string = randomUUID
