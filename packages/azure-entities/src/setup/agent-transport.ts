import { type Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { fetchTransport, type Transport } from '@rowkey/rest'

/** Statuses whose responses have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Makes the transport that sends through an agent of Node, which decides about connections, TLS and proxies.
 *
 * @param agent - an `https.Agent`, or an `http.Agent` for an address without TLS
 */
export function agentTransport(agent: Agent): Transport {
  return fetchTransport({ fetch: fetchOf(agent) })
}

/** The part of `fetch` that a transport needs, over an agent. */
function fetchOf(agent: Agent): typeof fetch {
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(String(input))
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest
    const fields = Object.fromEntries(new Headers(headers))
    return new Promise((resolve, reject) => {
      const options = { agent, method, headers: fields, ...(signal && { signal }) }
      const sent = send(url, options, (incoming) => {
        const chunks: Uint8Array[] = []
        incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { statusCode: status = 0, headers: received } = incoming
          const content = EMPTY.has(status) ? null : Buffer.concat(chunks)
          resolve(new Response(content, { status, headers: plainHeaders(received) }))
        })
      })
      sent.on('error', reject)
      sent.end(typeof body === 'string' ? body : undefined)
    })
  }
}

const plainHeaders = (received: NodeJS.Dict<string | string[]>): [string, string][] =>
  Object.entries(received).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
