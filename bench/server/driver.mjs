import { Pool } from 'undici'

/** Connections to one service. */
const LANES = 8

/** Sends one request and reads its response. A response that is not a success ends the benchmark. */
export async function answerOf(client, request) {
  const { statusCode, body } = await client.request(request)
  const text = await body.text()
  // Only the body says that a transaction failed.
  const failure = statusCode >= 300 || /^HTTP\/1\.1 [45]/m.test(text.slice(0, 1000))
  if (failure) throw new Error(`${request.method} ${request.path}: ${statusCode} ${text}`)
  return text
}

/** Sends requests over connections that stay open. */
export class Driver {
  #pool

  constructor(origin) {
    const patience = { headersTimeout: 120_000, bodyTimeout: 120_000 }
    this.#pool = new Pool(origin, { connections: LANES, pipelining: 1, ...patience })
  }

  /**
   * Sends all requests.
   *
   * @param lanes - how many are in flight at once
   */
  async send(requests, lanes = LANES) {
    const source = requests[Symbol.iterator]()
    const lane = async () => {
      for (let next = source.next(); !next.done; next = source.next()) {
        await answerOf(this.#pool, next.value)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  async close() {
    await this.#pool.destroy()
  }
}
