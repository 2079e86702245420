import { randomUUID } from 'node:crypto'
import { nodeTransport } from './node-transport.ts'
import type { Transport } from './transport.ts'

/** Makes the default Transport: `node:http` and undici on Node, `fetch` in browsers and workers. */
export const defaultTransport = (): Transport => nodeTransport()

/** Makes the id of a call: a random UUID. */
export const randomId: () => string = randomUUID

/** Names what runs the program, for the `User-Agent`: `node 24.1.0; linux; x64`. */
export const runtimeText = (_runsOnServer: boolean): string | undefined =>
  `node ${process.versions.node}; ${process.platform}; ${process.arch}`
