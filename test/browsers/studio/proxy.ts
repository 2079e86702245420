import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy at a path of a port. */
export interface Proxy extends AsyncDisposable {
  readonly port: number
  /** Names the port that requests go to. */
  forwardTo(port: number): void
}

/**
 * Starts a reverse proxy at `/tools/tables/`. It leaves the host as the browser sent it.
 *
 * @param removesPath - whether it removes its path from requests
 */
export async function startProxy(removesPath: boolean): Promise<Proxy> {
  let target = 0
  const server = createServer((request, response) => {
    const path = request.url?.replace(/^\/tools\/tables(?=\/)/, removesPath ? '' : '$&')
    const { method, headers } = request
    const forwarded = sendRequest({ host: '127.0.0.1', port: target, path, method, headers })
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    forwardTo(other) {
      target = other
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
