/** One client in a page of a browser; the bundle names the adapter. fetch.mjs calls `begin`, then `run`. */
import * as client from 'adapter'
import { ACCOUNT, entities } from './fixture.mjs'
import { repeat } from './repeat.mjs'

globalThis.begin = (token) =>
  client.init({ endpoint: `${location.origin}/${ACCOUNT}`, token, entities })
globalThis.run = (cell, count) => repeat(client, cell, count)
