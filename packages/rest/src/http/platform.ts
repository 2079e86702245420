import { randomUUID } from 'node:crypto'
import { nodeTransport } from './node-transport.ts'
import type { Transport } from './transport.ts'

/** Makes the default Transport: `node:http` and undici on Node, `fetch` in browsers and workers. */
export const defaultTransport = (): Transport => nodeTransport()

/** Makes the id of a call: a random UUID. */
export const randomId: () => string = randomUUID
