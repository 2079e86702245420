import type { IncomingMessage } from 'node:http'
import type { HttpHeaders, HttpMethod, HttpRequest } from '@rowkey/rest'

const ORIGIN_FORM = /^(?:https?:\/\/[^/?#]*)?(\/[^?]*)(?:\?(.*))?$/is

/** A request without its body, as it came over HTTP: the target is kept exactly as it was sent. */
export function readRequestHead(message: IncomingMessage): HttpRequest {
  const [, path = '', query = ''] = ORIGIN_FORM.exec(message.url ?? '') ?? []
  return {
    // Anything the parser lets through; the listener refuses what is no verb of the service.
    method: message.method as HttpMethod,
    origin: `http://${message.headers.host ?? ''}`,
    path,
    query,
    // Names are in lower case; only set-cookie, which no request has, would be a list.
    headers: message.headers as HttpHeaders,
    body: undefined,
  }
}
