// @ts-expect-error: undici has types only for its index.
import connect from 'undici/lib/api/api-connect.js'
// @ts-expect-error: undici has types only for its index.
import errors from 'undici/lib/core/errors.js'
// @ts-expect-error: undici has types only for its index.
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
// @ts-expect-error: undici has types only for its index.
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
// @ts-expect-error: undici has types only for its index.
import Pool from 'undici/lib/dispatcher/pool.js'

/** The classes of undici that send requests. */
export type UndiciParts = Pick<typeof import('undici'), 'EnvHttpProxyAgent' | 'Pool' | 'errors'>

// The index of undici adds all of its methods so; a tunnel through a proxy needs this one.
Object.assign(Dispatcher.prototype, { connect })

/**
 * The parts of undici that send requests. Its index also has `fetch`, web sockets, caches and mocks: half of all that a bundler
 * would put into one file.
 */
export const undiciParts: UndiciParts = { EnvHttpProxyAgent, Pool, errors }
