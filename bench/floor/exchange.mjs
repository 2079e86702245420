import { Pool } from 'undici'

/** undici's lowest-level call: one handler that collects the body and keeps the raw headers. */
class Answer {
  #chunks = []

  constructor(resolve, reject) {
    this.resolve = resolve
    this.onError = reject
  }

  onConnect() {}

  onHeaders(status, headers) {
    this.status = status
    this.headers = headers
    return true
  }

  onData(chunk) {
    this.#chunks.push(chunk)
    return true
  }

  onComplete() {
    const [first] = this.#chunks
    const body = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first
    this.text = body === undefined ? '' : body.utf8Slice(0, body.length)
    this.resolve(this)
  }

  header(name) {
    for (let i = 0; i < this.headers.length; i += 2) {
      const candidate = this.headers[i]
      if (candidate.length === name.length && String(candidate).toLowerCase() === name) {
        return String(this.headers[i + 1])
      }
    }
    return undefined
  }
}

export function openPool(origin) {
  const pool = new Pool(origin)
  return {
    exchange: (method, path, headers, body) =>
      new Promise((resolve, reject) => {
        pool.dispatch({ method, path, headers, body }, new Answer(resolve, reject))
      }),
    close: () => pool.close(),
  }
}
