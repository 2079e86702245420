import { redact } from '../http/redact.ts'
import type { HttpResponse } from '../http/transport.ts'
import { readXml } from '../xml/read-xml.ts'

/** The facts about a failure that a response contains. */
export interface ErrorBody {
  /** The service's code; `Http` and the status when the response has none. */
  readonly code: string
  /** The service's message without its request id and time, and without secrets. */
  readonly message: string
}

/** Code and message of a body; they may be of any type. */
interface FoundError {
  readonly code: unknown
  readonly message: unknown
}

/**
 * Reads an error response in any of the forms that services, and machines in between, use: JSON,
 * XML, or only a header.
 *
 * @param response - a response of 400 or above
 */
export async function readErrorBody(response: HttpResponse): Promise<ErrorBody> {
  if (!response.body.startsWith('<')) return readPartErrorBody(response)
  return toErrorBody(response, await findInXml(response.body))
}

/**
 * Reads the error in one part of a batch, which is never XML.
 *
 * @param response - a part of 400 or above
 */
export function readPartErrorBody(response: HttpResponse): ErrorBody {
  return toErrorBody(response, findInJson(response.body))
}

/** Finds `{"odata.error":{"code":…,"message":{"value":…}}}`. */
function findInJson(body: string): FoundError | undefined {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return undefined
  }
  const error = member(json, 'odata.error') ?? member(json, 'error')
  const message = member(error, 'message')
  return { code: member(error, 'code'), message: member(message, 'value') ?? message }
}

function member(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as Record<string, unknown>)[name]
    : undefined
}

/** Finds `<m:error><m:code>…`, or `<Error><Code>…` of an emulator. */
async function findInXml(body: string): Promise<FoundError | undefined> {
  const error = await readXml(body)
  if (error === undefined || !(error.isNamed('error') || error.isNamed('Error'))) return undefined
  const code = error.child('code') ?? error.child('Code')
  const message = error.child('message') ?? error.child('Message')
  return { code: code?.text, message: message?.text }
}

const NO_MESSAGE = 'The service gave no reason.'

function toErrorBody(response: HttpResponse, found: FoundError | undefined): ErrorBody {
  const code = textOf(found?.code) || response.headers['x-ms-error-code']
  return {
    code: redact(code || `Http${response.status}`),
    message: redact(withoutTrailer(textOf(found?.message))) || NO_MESSAGE,
  }
}

/**
 * Storage ends its message with `RequestId:` and `Time:`. Cosmos DB ends it with `RequestID:`, and often
 * puts an `ActivityId:` and the replica and software of its server before that.
 */
function withoutTrailer(message: string): string {
  const trailer = message.search(/\r?\n(?:RequestI[dD]|ActivityId):/)
  return (trailer < 0 ? message : message.slice(0, trailer)).trim()
}

function textOf(found: unknown): string {
  return typeof found === 'string' ? found : ''
}
