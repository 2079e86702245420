import { fetchTransport } from '../../http/fetch-transport.ts'
import type { Transport } from '../../http/transport.ts'

/** Makes the default Transport: undici on Node, `fetch` in browsers and workers. */
export const defaultTransport: () => Transport = fetchTransport

/** Makes the id of a call: a random UUID. */
export const randomId = (): string => globalThis.crypto.randomUUID()

/** Names what runs the program, for the `User-Agent`. A page sends the one of its browser. */
export const runtimeText = (runsOnServer: boolean): string | undefined =>
  runsOnServer ? 'worker' : undefined
